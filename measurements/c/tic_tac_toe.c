/* Tic-tac-toe as in plyglass/games/tic_tac_toe/rules.py, for the C yardstick. */

#include <stdint.h>

#define CELLS 9
#define FULL ((1 << CELLS) - 1)
#define DRAW 3
#define MOST_ACTIONS CELLS
#define MOST_STEPS CELLS

typedef struct {
    uint64_t header[4];
    int16_t marks[2];
    int8_t player, winner;
} State;

static inline void start(State *s) { s->player = 0; }

static inline int to_move(const State *s) { return s->winner ? -1 : s->player; }

static inline int legal(const State *s, int32_t *out) {
    int taken = s->marks[0] | s->marks[1], count = 0;
    for (int cell = 0; cell < CELLS; cell++)
        if (!((taken >> cell) & 1)) out[count++] = cell;
    return count;
}

static inline int lines(int cells) {
    static const int LINES[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    int found = 0;
    for (int i = 0; i < 8; i++) found += (cells & LINES[i]) == LINES[i];
    return found;
}

static inline void apply(State *s, int action) {
    s->marks[s->player] |= (int16_t)(1 << action);
    if (lines(s->marks[s->player]) > 0)
        s->winner = (int8_t)(s->player + 1);
    else if ((s->marks[0] | s->marks[1]) == FULL)
        s->winner = DRAW;
    s->player = (int8_t)(1 - s->player);
}

static inline double score(const State *s, int player) {
    if (s->winner == 0 || s->winner == DRAW) return 0.0;
    return s->winner == player + 1 ? 1.0 : -1.0;
}

#include "uct.h"
