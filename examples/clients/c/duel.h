/* Duel in C: the rules in the README of plyglass/games/duel.
 *
 * A state has the fields of the server's views. A creature is one number: its card, its health, and whether it is ready. */
#ifndef DUEL_H
#define DUEL_H

#include <stdint.h>

enum { KINDS = 6, MOST_BOARD = 4, MOST_ACTIONS = 64, MOST_DRAWN = 16 };
enum { END, PLAY, ATTACK };    /* kinds of actions */
enum { NOBODY = 0, READY = 1 }; /* NOBODY: an empty place, or the hero as a target */

typedef struct {
    int deck[2][KINDS], hand[2][KINDS], held[2], board[2][MOST_BOARD], hero[2], crystals[2], mana, player;
} duel_state;

typedef struct {
    duel_state state;
    uint32_t chance;       /* never 0 */
    int drawn[MOST_DRAWN]; /* the cards that the last action drew, or the deal */
    int drawn_count;
} duel;

static inline int kind_of(int action) { return action >> 24; }
static inline int source_of(int action) { return (action >> 12) & 4095; }
static inline int target_of(int action) { return action & 4095; }

void duel_start(duel *game, uint32_t seed);
int duel_to_move(const duel_state *s);                      /* the player to move, or -1 when the match is over */
int duel_legal(const duel_state *s, int out[MOST_ACTIONS]); /* returns the number of actions */
void duel_apply(duel *game, int action);
int duel_score(const duel_state *s, int player);
duel_state duel_view(const duel_state *s, int viewer); /* what a player sees */
int duel_cost(int card);
void duel_name(int action, char *out, int size);

#endif
