/* Pig: roll as often as you dare; a one loses what the turn has brought. The twin of plyglass/games/pig/rules.py. */
#include "plyglass.h"

enum { ROLL, HOLD };
enum { SIDES = 6, DRAW = 3 };

typedef struct {
    int64_t goal, turns;
} constants;

typedef struct {
    plyglass_header header;
    int32_t points[2]; /* what each player has banked */
    int32_t total;     /* what this turn has brought so far */
    int32_t turn;      /* turns that are over */
    int8_t player;
    int8_t winner; /* 0, or 1 or 2 for the player who reached the goal, or DRAW when the last turn is over */
} state;

/* Bank what the turn has brought; the game is drawn when no turn is left and nobody has won. */
static void pass_turn(const constants *r, state *s, int32_t gained) {
    s->points[s->player] += gained;
    s->total = 0;
    s->turn++;
    s->player = 1 - s->player;
    if (s->turn == r->turns && s->winner == 0) s->winner = DRAW;
}

PLYGLASS_RULE void start(const constants *r, const void *setup, state *s) {
    (void)r, (void)setup;
    s->player = 0;
}

PLYGLASS_RULE int64_t to_move(const constants *r, const state *s) {
    (void)r;
    return s->winner ? -1 : s->player;
}

PLYGLASS_RULE int64_t legal(const constants *r, const state *s, int32_t *out) {
    (void)r;
    out[0] = ROLL;
    out[1] = HOLD;
    return s->total > 0 ? 2 : 1;
}

PLYGLASS_RULE void apply(const constants *r, state *s, int64_t action) {
    if (action == HOLD) {
        pass_turn(r, s, s->total);
        return;
    }
    int32_t pips = 1 + (int32_t)plyglass_draw(&s->header, SIDES);
    if (pips == 1) {
        pass_turn(r, s, 0);
    } else if (s->points[s->player] + s->total + pips >= r->goal) {
        s->winner = s->player + 1;
        pass_turn(r, s, s->total + pips);
    } else {
        s->total += pips;
    }
}

PLYGLASS_RULE double score(const constants *r, const state *s, int64_t player) {
    (void)r;
    if (s->winner == 0 || s->winner == DRAW) return 0.0;
    return s->winner == player + 1 ? 1.0 : -1.0;
}
