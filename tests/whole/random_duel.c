/* Random matches by the rules of the client in C, written as the client's log is. */
#include <stdio.h>
#include <stdlib.h>

#include "duel.h"

static void list(const int *numbers, int count) {
    for (int i = 0; i < count; i++) printf("%s%d", i ? "," : "[", numbers[i]);
    printf("%s", count ? "]" : "[]");
}

static void rows(const char *name, const int *numbers, int width) {
    printf("\"%s\":[", name);
    list(numbers, width);
    printf(",");
    list(numbers + width, width);
    printf("],");
}

static void view(const duel *game, int viewer) {
    duel_state seen = duel_view(&game->state, viewer);
    printf("{");
    rows("deck", seen.deck[0], KINDS);
    rows("hand", seen.hand[0], KINDS);
    rows("board", seen.board[0], MOST_BOARD);
    printf("\"held\":");
    list(seen.held, 2);
    printf(",\"hero\":");
    list(seen.hero, 2);
    printf(",\"crystals\":");
    list(seen.crystals, 2);
    printf(",\"mana\":%d,\"player\":%d}", seen.mana, seen.player);
}

static void tell(const duel *game, int player, int action, const int *legal, int count) {
    printf("{\"player\":%d,\"action\":%d,\"legal\":", player, action);
    list(legal, count);
    printf(",\"cards\":");
    list(game->drawn, game->drawn_count);
    printf(",\"views\":[");
    view(game, 0);
    printf(",");
    view(game, 1);
    printf("]}\n");
}

int main(int words, char **word) {
    int actions[MOST_ACTIONS], matches = words > 1 ? atoi(word[1]) : 1;
    for (int match = 0; match < matches; match++) {
        duel game;
        duel_start(&game, (uint32_t)match);
        tell(&game, -1, -1, actions, 0);
        for (int player; (player = duel_to_move(&game.state)) >= 0;) {
            int count = duel_legal(&game.state, actions), action = actions[rand() % count];
            duel_apply(&game, action);
            tell(&game, player, action, actions, count);
        }
        printf("{\"scores\":[%d,%d]}\n", duel_score(&game.state, 0), duel_score(&game.state, 1));
    }
    return 0;
}
