/* UCT in plain C: the yardstick of `plyglass bench --peers`.

   It is the search of plyglass/planners/uct.py, with the same nodes, generator and order of draws, so equal seeds give
   equal visit counts. The rules are in the same translation unit and inlined. Nothing here pays for chance, hidden
   information or a table of functions.

   A game defines State, MOST_ACTIONS, MOST_STEPS, start, to_move, legal, apply and score, then includes this file. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    double total;
    uint64_t key;
    int32_t visits, first, action, next;
    int16_t count;
    int8_t player, lucky;
} Node;

static uint64_t stream;

static inline uint64_t next_word(void) {
    uint64_t x = stream += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

static inline int below(int n) { return (int)(((next_word() >> 32) * (uint64_t)n) >> 32); }

static inline int add_children(Node *nodes, int used, int parent, int player, const int32_t *actions, int count) {
    nodes[parent].first = used;
    nodes[parent].count = (int16_t)count;
    for (int i = 0; i < count; i++) {
        int j = below(i + 1);
        nodes[used + i].action = nodes[used + j].action;
        nodes[used + j].action = actions[i];
        nodes[used + i].player = (int8_t)player;
    }
    return used + count;
}

static inline int ucb_child(const Node *nodes, int parent, double exploration) {
    int first = nodes[parent].first, best = first;
    double log_visits = log(nodes[parent].visits > 1 ? nodes[parent].visits : 1), best_bound = -1e300;
    for (int child = first; child < first + nodes[parent].count; child++) {
        int visits = nodes[child].visits;
        if (visits == 0) return child;
        double bound = nodes[child].total / visits + exploration * sqrt(log_visits / visits);
        if (bound > best_bound) best = child, best_bound = bound;
    }
    return best;
}

static int search(const State *root, Node *nodes, int capacity, int iterations, double exploration) {
    int32_t actions[MOST_ACTIONS];
    int path[MOST_STEPS + 2];
    int used = 1;
    for (int iteration = 0; iteration < iterations; iteration++) {
        State world = *root;
        next_word(); /* the word that would be this world's chance */
        int node = 0, length = 1, player = to_move(&world);
        path[0] = 0;
        while (player >= 0) {
            if (nodes[node].count == 0) {
                int count = legal(&world, actions);
                if (used + count + 1 > capacity) break;
                used = add_children(nodes, used, node, player, actions, count);
            }
            node = ucb_child(nodes, node, exploration);
            apply(&world, nodes[node].action);
            player = to_move(&world);
            path[length++] = node;
            if (nodes[node].visits == 0) break;
        }
        while (player >= 0) {
            int count = legal(&world, actions);
            apply(&world, actions[below(count)]);
            player = to_move(&world);
        }
        double values[2];
        for (int each = 0; each < 2; each++) values[each] = (score(&world, each) + 1.0) / 2.0;
        for (int i = 0; i < length; i++) {
            nodes[path[i]].visits++;
            nodes[path[i]].total += values[nodes[path[i]].player];
        }
    }
    return used;
}

/* usage: program ITERATIONS SEED; prints CPU seconds, then the root's visits by action. */
int main(int count, char **arguments) {
    int iterations = count > 1 ? atoi(arguments[1]) : 100000;
    stream = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    int capacity = iterations * (MOST_ACTIONS + 2) + 1;
    if (capacity > 5000000) capacity = 5000000;
    State root;
    memset(&root, 0, sizeof root);
    start(&root);
    Node *nodes = calloc((size_t)capacity, sizeof(Node));
    struct timespec began, ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
    search(&root, nodes, capacity, iterations, 0.7);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    printf("%.9f", (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec));
    int visits[MOST_ACTIONS] = {0};
    for (int i = 0; i < nodes[0].count; i++) visits[nodes[nodes[0].first + i].action] = nodes[nodes[0].first + i].visits;
    for (int i = 0; i < MOST_ACTIONS; i++) printf(" %d", visits[i]);
    printf("\n");
    return 0;
}
