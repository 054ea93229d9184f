/* plyglass.h: rules of a game in C, or in any language that can include this file or follow it.
 *
 * A shared library exports one function per rule, and `SharedLibrary(path)` in Python fills a game's table with them:
 *
 *     void    start  (const constants *r, const setup *setup, state *s);       the start position; *s is all zero except its header
 *     int64_t to_move(const constants *r, const state *s);                     the player to move, or -1 when the game is over
 *     int64_t legal  (const constants *r, const state *s, int32_t *out);       write the legal actions to out; return their number
 *     void    apply  (const constants *r, state *s, int64_t action);           advance to the next decision
 *     double  score  (const constants *r, const state *s, int64_t player);     the player's reward so far
 *
 * and, in a game with hidden information, both of
 *
 *     void    hide   (const constants *r, state *s, int64_t viewer);           erase everything that viewer cannot know
 *     void    imagine(const constants *r, state *s, int64_t viewer);           turn a view into a world that is consistent with the view
 *
 * `out` has room for as many actions as the game declares. The game defines the records: the dtypes of the Python class give the
 * layouts of `constants`, `setup` and `state`. `state` begins with a `plyglass_header`. `state_dtype` pads the state as a C compiler
 * does. A dtype for `constants` or `setup` is padded in this way only if it is made with align=True.
 *
 * The header belongs to the core: a rule draws chance with `plyglass_draw` and `plyglass_chance`, and never reads or writes the
 * header in other ways. A rule keeps no state of its own, because planners call the rule from several threads and on copies.
 * Padding must stay zero, because states are compared byte by byte. So set fields one at a time, and never assign a whole struct.
 *
 * Both functions give the same results as plyglass/core/luck.py, to the last bit, unless they are built with -ffast-math.
 */
#ifndef PLYGLASS_H
#define PLYGLASS_H

#include <stdint.h>
#include <string.h>

/* Write PLYGLASS_RULE before a rule, which exports the rule under its plain name, also from C++ and on Windows. */
#ifdef __cplusplus
#define PLYGLASS_C extern "C"
#else
#define PLYGLASS_C
#endif
#ifdef _WIN32
#define PLYGLASS_RULE PLYGLASS_C __declspec(dllexport)
#else
#define PLYGLASS_RULE PLYGLASS_C __attribute__((visibility("default")))
#endif

typedef struct {
    uint64_t luck; /* the seed of this world's future chance */
    uint64_t rng;  /* the current stream, computed from luck at the start of every ply */
    int64_t tape;  /* address of a tape that dictates chance, or 0 */
    int32_t ply;   /* number of turns so far, including the current one */
    int32_t drawn; /* how often chance was drawn */
} plyglass_header;

/* A tape is [position, capacity], then (digit, number of digits, probability) for every draw; the probability is a double. */
enum { PLYGLASS_TAPE_HEAD = 2, PLYGLASS_TAPE_STEP = 3 };

/* The action with this kind (below 128), source and target (both below 4096). */
static inline int32_t plyglass_pack(int64_t kind, int64_t source, int64_t target) {
    return (int32_t)(kind << 24 | source << 12 | target);
}

/* The next word of the stream: splitmix64. */
static inline uint64_t plyglass_next_word(plyglass_header *header) {
    uint64_t x = header->rng += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* The next digit that the tape dictates; also writes to the tape how many digits were possible, and the probability. */
static inline int64_t plyglass_read_digit(int64_t *tape, int64_t n, double probability) {
    int64_t position = tape[0]++;
    if (position >= tape[1]) return 0; /* the tape is full; the core notices this by the position */
    int64_t *entry = tape + PLYGLASS_TAPE_HEAD + PLYGLASS_TAPE_STEP * position;
    entry[1] = n;
    memcpy(entry + 2, &probability, sizeof probability);
    return entry[0];
}

static inline int64_t plyglass_read_weighted_digit(int64_t *tape, const double *weights, int64_t n, double total) {
    int64_t possible = 0;
    for (int64_t i = 0; i < n; i++) possible += weights[i] > 0;
    int64_t position = tape[0];
    int64_t digit = plyglass_read_digit(tape, possible, 0.0);
    for (int64_t i = 0; i < n; i++) {
        if (weights[i] > 0 && digit-- == 0) {
            double probability = weights[i] / total;
            if (position < tape[1]) memcpy(tape + PLYGLASS_TAPE_HEAD + PLYGLASS_TAPE_STEP * position + 2, &probability, sizeof probability);
            return i;
        }
    }
    return 0;
}

/* Draw a number in 0 .. n-1, where all numbers are equally likely; for use in rules. */
static inline int64_t plyglass_draw(plyglass_header *header, int64_t n) {
    header->drawn++;
    if (header->tape != 0) return plyglass_read_digit((int64_t *)(intptr_t)header->tape, n, 1.0 / (double)n);
    return (int64_t)(((plyglass_next_word(header) >> 32) * (uint64_t)n) >> 32);
}

/* Draw an index into n weights, with probability proportional to the weight; for use in rules. No weight is negative, and at
   least one is positive. */
static inline int64_t plyglass_chance(plyglass_header *header, const double *weights, int64_t n) {
    header->drawn++;
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) total += weights[i];
    if (header->tape != 0) return plyglass_read_weighted_digit((int64_t *)(intptr_t)header->tape, weights, n, total);
    /* volatile: a compiler that fuses this product with the first subtraction below would round once instead of twice */
    volatile double product = (double)(int64_t)(plyglass_next_word(header) >> 11) * (1.0 / 9007199254740992.0) * total;
    double rest = product;
    int64_t last = 0;
    for (int64_t i = 0; i < n; i++) {
        if (weights[i] > 0) {
            last = i;
            if (rest < weights[i]) return i;
            rest -= weights[i];
        }
    }
    return last;
}

#endif
