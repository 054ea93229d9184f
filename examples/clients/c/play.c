/* A match of Duel against an agent of a Plyglass server: play [URL] [SEED] [LOG]
 *
 * This program owns the rules and the truth. It sends the server only what the agent's seat has seen. With a LOG, it writes every
 * action, the cards drawn and both views to that file.
 *
 *     cc -std=c11 -O2 -o play play.c duel.c -lcurl -lcjson
 */
#define _POSIX_C_SOURCE 200809L
#include <cjson/cJSON.h>
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "duel.h"

enum { TRIES = 20, MOST_URL = 512 };

typedef struct {
    char *text;
    size_t size;
} answer;

typedef struct {
    CURL *curl;
    char url[MOST_URL];
    int seat, seed;
    cJSON *entries; /* the history */
    cJSON *turn;    /* as the last reply gave it, empty in a new turn */
    cJSON *last;    /* the last view */
} agent;

static void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* -- JSON */

static cJSON *pair_of_rows(const int *numbers, int width) {
    cJSON *rows = cJSON_CreateArray();
    for (int row = 0; row < 2; row++) cJSON_AddItemToArray(rows, cJSON_CreateIntArray(numbers + row * width, width));
    return rows;
}

static cJSON *view_as_json(const duel_state *view) {
    cJSON *fields = cJSON_CreateObject();
    cJSON_AddItemToObject(fields, "deck", pair_of_rows(view->deck[0], KINDS));
    cJSON_AddItemToObject(fields, "hand", pair_of_rows(view->hand[0], KINDS));
    cJSON_AddItemToObject(fields, "held", cJSON_CreateIntArray(view->held, 2));
    cJSON_AddItemToObject(fields, "board", pair_of_rows(view->board[0], MOST_BOARD));
    cJSON_AddItemToObject(fields, "hero", cJSON_CreateIntArray(view->hero, 2));
    cJSON_AddItemToObject(fields, "crystals", cJSON_CreateIntArray(view->crystals, 2));
    cJSON_AddNumberToObject(fields, "mana", view->mana);
    cJSON_AddNumberToObject(fields, "player", view->player);
    return fields;
}

static void write_line(FILE *file, cJSON *line) {
    char *text = cJSON_PrintUnformatted(line);
    fprintf(file, "%s\n", text);
    free(text);
    cJSON_Delete(line);
}

/* -- the server */

static size_t keep(char *data, size_t size, size_t count, void *to) {
    answer *found = to;
    char *grown = realloc(found->text, found->size + size * count + 1);
    if (grown == NULL) return 0;
    memcpy(grown + found->size, data, size * count);
    found->text = grown;
    found->size += size * count;
    grown[found->size] = '\0';
    return size * count;
}

/* Send a request once; returns the reply, and writes the HTTP status to `status`. */
static cJSON *post(agent *a, const char *body, long *status) {
    answer found = {NULL, 0};
    curl_easy_setopt(a->curl, CURLOPT_URL, a->url);
    curl_easy_setopt(a->curl, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(a->curl, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(a->curl, CURLOPT_WRITEDATA, &found);
    CURLcode code = curl_easy_perform(a->curl);
    if (code != CURLE_OK) fail(curl_easy_strerror(code));
    curl_easy_getinfo(a->curl, CURLINFO_RESPONSE_CODE, status);
    cJSON *reply = cJSON_Parse(found.text);
    free(found.text);
    if (reply == NULL) fail("The server's reply is not JSON.");
    return reply;
}

/* Send a request, again after a while if the server says so. */
static cJSON *ask(agent *a, cJSON *values) {
    char *body = cJSON_PrintUnformatted(values);
    for (int tries = 1;; tries++) {
        long status = 0;
        cJSON *reply = post(a, body, &status);
        if (status == 200) {
            free(body);
            return reply;
        }
        cJSON *wait = cJSON_GetObjectItem(reply, "retry_after_ms"), *message = cJSON_GetObjectItem(reply, "message");
        if (!cJSON_IsNumber(wait) || tries == TRIES) fail(cJSON_IsString(message) ? message->valuestring : "The server refused.");
        struct timespec pause = {wait->valueint / 1000, wait->valueint % 1000 * 1000000L};
        nanosleep(&pause, NULL);
        cJSON_Delete(reply);
    }
}

/* Note what the agent's seat sees, after each of its own actions and after each other action that changed its view. Every entry
 * after the first holds only the fields that changed. `own` is NULL unless the seat acted. */
static void observe(agent *a, const int *own, const duel_state *state) {
    duel_state seen = duel_view(state, a->seat);
    cJSON *view = view_as_json(&seen), *entry = cJSON_CreateObject(), *changed = cJSON_CreateObject(), *field;
    cJSON_AddItemToObject(entry, "own", own ? cJSON_CreateNumber(*own) : cJSON_CreateNull());
    cJSON_ArrayForEach(field, view) {
        if (!cJSON_Compare(field, cJSON_GetObjectItem(a->last, field->string), 1))
            cJSON_AddItemToObject(changed, field->string, cJSON_Duplicate(field, 1));
    }
    int is_news = own != NULL || cJSON_GetArraySize(changed) > 0;
    cJSON_AddItemToObject(entry, a->last ? "changed" : "view", changed);
    if (is_news)
        cJSON_AddItemToArray(a->entries, entry);
    else
        cJSON_Delete(entry);
    cJSON_Delete(a->last);
    a->last = view;
    if (seen.player != a->seat) {
        cJSON_Delete(a->turn);
        a->turn = cJSON_CreateArray();
    }
}

static int decide(agent *a) {
    cJSON *values = cJSON_CreateObject();
    cJSON_AddStringToObject(values, "game", "duel");
    cJSON_AddNumberToObject(values, "seat", a->seat);
    cJSON_AddNumberToObject(values, "seed", a->seed);
    cJSON_AddStringToObject(values, "agent", "level:easy");
    cJSON_AddItemReferenceToObject(values, "history", a->entries);
    cJSON_AddItemReferenceToObject(values, "turn", a->turn);
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(values, "budget"), "iterations", 200);
    cJSON_AddNumberToObject(values, "deadline_ms", 10000);
    cJSON *reply = ask(a, values);
    cJSON_Delete(values);
    cJSON *best = cJSON_GetObjectItem(reply, "best"), *turn = cJSON_DetachItemFromObject(reply, "turn");
    if (!cJSON_IsNumber(best) || !cJSON_IsArray(turn)) fail("The server's reply has no action.");
    int action = best->valueint;
    cJSON_Delete(a->turn);
    a->turn = turn;
    cJSON_Delete(reply);
    return action;
}

/* -- the match */

/* Our own player: attack the hero, else play the most expensive card, else end the turn. */
static int simple(const int *actions, int count) {
    int best = actions[0], dearest = 0;
    for (int i = 0; i < count; i++) {
        if (kind_of(actions[i]) == ATTACK && target_of(actions[i]) == NOBODY) return actions[i];
        if (kind_of(actions[i]) == PLAY && duel_cost(source_of(actions[i])) > dearest) {
            best = actions[i];
            dearest = duel_cost(source_of(best));
        }
    }
    return best;
}

static int is_among(int action, const int *actions, int count) {
    for (int i = 0; i < count; i++)
        if (actions[i] == action) return 1;
    return 0;
}

static void note(FILE *log, const duel *game, int player, int action, cJSON *legal) {
    cJSON *line = cJSON_CreateObject(), *views = cJSON_CreateArray();
    cJSON_AddNumberToObject(line, "player", player);
    cJSON_AddNumberToObject(line, "action", action);
    cJSON_AddItemToObject(line, "legal", legal);
    cJSON_AddItemToObject(line, "cards", cJSON_CreateIntArray(game->drawn, game->drawn_count));
    for (int viewer = 0; viewer < 2; viewer++) {
        duel_state seen = duel_view(&game->state, viewer);
        cJSON_AddItemToArray(views, view_as_json(&seen));
    }
    cJSON_AddItemToObject(line, "views", views);
    if (log)
        write_line(log, line);
    else
        cJSON_Delete(line);
}

static void play_match(agent *a, duel *game, FILE *log) {
    int actions[MOST_ACTIONS];
    duel_start(game, (uint32_t)a->seed);
    note(log, game, -1, -1, cJSON_CreateArray());
    observe(a, NULL, &game->state);
    for (int player; (player = duel_to_move(&game->state)) >= 0;) {
        int count = duel_legal(&game->state, actions);
        int action = player == a->seat ? decide(a) : simple(actions, count);
        if (!is_among(action, actions, count)) fail("The server plays other rules.");
        char name[96];
        duel_name(action, name, sizeof name);
        duel_apply(game, action);
        printf("%s: %s\n", player == a->seat ? "agent" : "simple", name);
        note(log, game, player, action, cJSON_CreateIntArray(actions, count));
        observe(a, player == a->seat ? &action : NULL, &game->state);
    }
}

int main(int count, char **words) {
    const char *server = count > 1 ? words[1] : "http://127.0.0.1:8008";
    agent a = {.curl = curl_easy_init(), .seed = count > 2 ? atoi(words[2]) : 1};
    if (a.curl == NULL || a.seed < 0) fail("Usage: play [URL] [SEED] [LOG], with a seed of 0 or more.");
    if (snprintf(a.url, MOST_URL, "%s/v1/decide", server) >= MOST_URL) fail("The address is too long.");
    FILE *log = count > 3 ? fopen(words[3], "w") : NULL;
    if (count > 3 && log == NULL) fail("The log cannot be written.");
    a.seat = a.seed % 2;
    a.entries = cJSON_CreateArray();
    a.turn = cJSON_CreateArray();
    struct curl_slist *headers = curl_slist_append(NULL, "content-type: application/json");
    curl_easy_setopt(a.curl, CURLOPT_HTTPHEADER, headers);

    duel game;
    play_match(&a, &game, log);
    int score = duel_score(&game.state, a.seat);
    puts(score > 0 ? "The agent wins." : "The simple player wins.");
    if (log) {
        int scores[2] = {duel_score(&game.state, 0), duel_score(&game.state, 1)};
        cJSON *line = cJSON_CreateObject();
        cJSON_AddItemToObject(line, "scores", cJSON_CreateIntArray(scores, 2));
        write_line(log, line);
        fclose(log);
    }
    cJSON_Delete(a.entries);
    cJSON_Delete(a.turn);
    cJSON_Delete(a.last);
    curl_slist_free_all(headers);
    curl_easy_cleanup(a.curl);
    return 0;
}
