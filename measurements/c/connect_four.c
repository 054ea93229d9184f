/* Connect Four as in plyglass/games/connect_four/rules.py, for the C yardstick. */

#include <stdint.h>

#define ROWS 6
#define COLUMNS 7
#define DRAW 3
#define MOST_ACTIONS COLUMNS
#define MOST_STEPS (ROWS * COLUMNS)

typedef struct {
    uint64_t header[4];
    int8_t cell[ROWS][COLUMNS], height[COLUMNS], player, winner, filled;
} State;

static inline void start(State *s) { s->player = 0; }

static inline int to_move(const State *s) { return s->winner ? -1 : s->player; }

static inline int legal(const State *s, int32_t *out) {
    int count = 0;
    for (int column = 0; column < COLUMNS; column++)
        if (s->height[column] < ROWS) out[count++] = column;
    return count;
}

static inline int run(const State *s, int row, int column, int mark, int down, int across) {
    int length = 0;
    for (int y = row + down, x = column + across; 0 <= y && y < ROWS && 0 <= x && x < COLUMNS && s->cell[y][x] == mark; y += down, x += across)
        length++;
    return length;
}

static inline int completes(const State *s, int row, int column, int mark) {
    for (int direction = 0; direction < 4; direction++) {
        int down = direction == 0 ? 0 : 1, across = direction == 0 ? 1 : direction - 2;
        if (1 + run(s, row, column, mark, down, across) + run(s, row, column, mark, -down, -across) >= 4) return 1;
    }
    return 0;
}

static inline void apply(State *s, int action) {
    int mark = s->player + 1, row = s->height[action];
    s->cell[row][action] = (int8_t)mark;
    s->height[action]++;
    s->filled++;
    if (completes(s, row, action, mark))
        s->winner = (int8_t)mark;
    else if (s->filled == ROWS * COLUMNS)
        s->winner = DRAW;
    s->player = (int8_t)(1 - s->player);
}

static inline double score(const State *s, int player) {
    if (s->winner == 0 || s->winner == DRAW) return 0.0;
    return s->winner == player + 1 ? 1.0 : -1.0;
}

#include "uct.h"
