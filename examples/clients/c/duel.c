#include "duel.h"

#include <stdio.h>
#include <string.h>

enum { SUMMON, BOLT, DRAW, HEAL };
enum { COPIES = 2, HEALTH = 10, HAND = 3, MOST_MANA = 5 };

typedef struct {
    const char *name;
    int effect, cost, power, health;
} card_kind;

static const card_kind CARDS[KINDS] = {
    {"squire", SUMMON, 1, 1, 2}, {"spark", BOLT, 1, 2, 0},   {"wolf", SUMMON, 2, 3, 1},
    {"balm", HEAL, 1, 3, 0},     {"insight", DRAW, 2, 2, 0}, {"ogre", SUMMON, 4, 4, 4},
};

static int pack(int kind, int source, int target) { return kind << 24 | source << 12 | target; }
static int creature(int card, int health, int ready) { return (card + 1) << 5 | health << 1 | ready; }
static const card_kind *card_of(int one) { return &CARDS[(one >> 5) - 1]; }
static int health_of(int one) { return (one >> 1) & 15; }
static int smaller(int one, int other) { return one < other ? one : other; }

/* Replace a creature; a side stays sorted, the largest number first. */
static void replace(duel_state *s, int owner, int old, int now) {
    int *side = s->board[owner], place = 0;
    while (place < MOST_BOARD - 1 && side[place] != old) place++;
    for (; place > 0 && side[place - 1] < now; place--) side[place] = side[place - 1];
    for (; place < MOST_BOARD - 1 && side[place + 1] > now; place++) side[place] = side[place + 1];
    side[place] = now;
}

static void strike(duel_state *s, int owner, int target, int damage) {
    if (target == NOBODY)
        s->hero[owner] = s->hero[owner] > damage ? s->hero[owner] - damage : 0;
    else
        replace(s, owner, target, health_of(target) > damage ? target - (damage << 1) : NOBODY);
}

/* A number in 0 .. n-1: xorshift32, which the server never sees. */
static int random_below(duel *game, int n) {
    uint32_t word = game->chance;
    word ^= word << 13;
    word ^= word >> 17;
    word ^= word << 5;
    game->chance = word;
    return (int)(word % (uint32_t)n);
}

/* Draw a card; an empty deck costs one health. */
static void draw_card(duel *game, int player) {
    duel_state *s = &game->state;
    int left = 0, card = 0;
    for (int kind = 0; kind < KINDS; kind++) left += s->deck[player][kind];
    if (left == 0) {
        strike(s, player, NOBODY, 1);
        return;
    }
    for (int place = random_below(game, left); place >= s->deck[player][card]; card++) place -= s->deck[player][card];
    s->deck[player][card]--;
    s->hand[player][card]++;
    s->held[player]++;
    game->drawn[game->drawn_count++] = card;
}

static void begin_turn(duel *game, int player) {
    duel_state *s = &game->state;
    s->mana = s->crystals[player] = smaller(s->crystals[player] + 1, MOST_MANA);
    for (int place = 0; place < MOST_BOARD; place++)
        if (s->board[player][place] != NOBODY) s->board[player][place] |= READY;
    draw_card(game, player);
}

void duel_start(duel *game, uint32_t seed) {
    memset(game, 0, sizeof *game);
    game->chance = seed * 2654435761u ^ 0x9e3779b9u;
    if (game->chance == 0) game->chance = 1;
    for (int player = 0; player < 2; player++) {
        game->state.hero[player] = HEALTH;
        for (int card = 0; card < KINDS; card++) game->state.deck[player][card] = COPIES;
        for (int card = 0; card < HAND + player; card++) draw_card(game, player);
    }
    begin_turn(game, 0);
}

int duel_to_move(const duel_state *s) { return s->hero[0] == 0 || s->hero[1] == 0 ? -1 : s->player; }

/* Write an action with the enemy hero as target, and with each different enemy creature. */
static int each_target(const duel_state *s, int action, int *out, int count) {
    const int *side = s->board[1 - s->player];
    out[count++] = action;
    for (int place = 0; place < MOST_BOARD; place++)
        if (side[place] != NOBODY && (place == 0 || side[place - 1] != side[place])) out[count++] = action | side[place];
    return count;
}

int duel_legal(const duel_state *s, int out[MOST_ACTIONS]) {
    const int *side = s->board[s->player];
    int count = 0;
    out[count++] = pack(END, 0, 0);
    for (int card = 0; card < KINDS; card++) {
        int is_full = CARDS[card].effect == SUMMON && side[MOST_BOARD - 1] != NOBODY;
        if (s->hand[s->player][card] == 0 || CARDS[card].cost > s->mana || is_full) continue;
        int action = pack(PLAY, card, NOBODY);
        if (CARDS[card].effect == BOLT)
            count = each_target(s, action, out, count);
        else
            out[count++] = action;
    }
    for (int place = 0; place < MOST_BOARD; place++)
        if ((side[place] & READY) && (place == 0 || side[place - 1] != side[place]))
            count = each_target(s, pack(ATTACK, side[place], NOBODY), out, count);
    return count;
}

static void play(duel *game, int card, int target) {
    duel_state *s = &game->state;
    int player = s->player, power = CARDS[card].power;
    s->hand[player][card]--;
    s->held[player]--;
    s->mana -= CARDS[card].cost;
    switch (CARDS[card].effect) {
    case SUMMON: replace(s, player, NOBODY, creature(card, CARDS[card].health, 0)); break;
    case BOLT: strike(s, 1 - player, target, power); break;
    case DRAW:
        for (int drawn = 0; drawn < power; drawn++) draw_card(game, player);
        break;
    default: s->hero[player] = smaller(s->hero[player] + power, HEALTH);
    }
}

static void attack(duel_state *s, int attacker, int target) {
    int tired = attacker - READY;
    replace(s, s->player, attacker, tired);
    strike(s, 1 - s->player, target, card_of(attacker)->power);
    if (target != NOBODY) strike(s, s->player, tired, card_of(target)->power);
}

void duel_apply(duel *game, int action) {
    duel_state *s = &game->state;
    game->drawn_count = 0;
    if (kind_of(action) == PLAY) {
        play(game, source_of(action), target_of(action));
    } else if (kind_of(action) == ATTACK) {
        attack(s, source_of(action), target_of(action));
    } else {
        for (int place = 0; place < MOST_BOARD; place++) s->board[s->player][place] &= ~READY;
        s->player = 1 - s->player;
        begin_turn(game, s->player);
    }
}

int duel_score(const duel_state *s, int player) {
    if (s->hero[player] == 0) return -1;
    return s->hero[1 - player] == 0;
}

duel_state duel_view(const duel_state *s, int viewer) {
    duel_state seen = *s;
    for (int card = 0; card < KINDS; card++) {
        seen.deck[1 - viewer][card] += seen.hand[1 - viewer][card];
        seen.hand[1 - viewer][card] = 0;
    }
    return seen;
}

int duel_cost(int card) { return CARDS[card].cost; }

void duel_name(int action, char *out, int size) {
    int source = source_of(action), target = target_of(action);
    int is_bolt = kind_of(action) == PLAY && CARDS[source].effect == BOLT;
    char on[32] = "the hero";
    if (target != NOBODY)
        snprintf(on, sizeof on, "%s %d/%d", card_of(target)->name, card_of(target)->power, health_of(target));
    if (kind_of(action) == ATTACK)
        snprintf(out, (size_t)size, "%s %d/%d attacks %s", card_of(source)->name, card_of(source)->power, health_of(source), on);
    else if (kind_of(action) == PLAY)
        snprintf(out, (size_t)size, "play %s%s%s", CARDS[source].name, is_bolt ? " on " : "", is_bolt ? on : "");
    else
        snprintf(out, (size_t)size, "end turn");
}
