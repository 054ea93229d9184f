/* Calls machine code that was compiled before, without Numba.

   An entry is a C function of one argument: the address of a block of 8-byte words that holds the
   arguments, and afterwards the results. `make` returns a Python function that fills the block.
   The text `takes` describes the arguments of an entry, with one part per argument:

     i u f b   a signed or an unsigned integer, a real number, a truth value: one word
     aDK;      a C-ordered array of D dimensions whose dtype is number K: its address and its shape
     rK;       a record whose dtype is number K: its address
     ( ... )   a tuple: its members

   An argument of any other type makes the function call `other` instead, which compiles. One build
   serves every Python from 3.11 on, because only the stable ABI is used. */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 128, MOST_TEXT = 512 };
enum { TAKEN = 0, FAILED = -1, OTHER_TYPE = 1 };

typedef struct {
    void (*code)(int64_t *);
    PyObject *dtypes, *other;
    int arguments;
    char takes[MOST_TEXT], gives[MOST_WORDS];
} Entry;

/* Numbers are converted as Numba converts them: an integer may be any object with __index__. */
static int take_integer(PyObject *value, char kind, int64_t *word) {
    PyObject *whole = PyNumber_Index(value);
    if (!whole) {
        PyErr_Clear();
        return OTHER_TYPE;
    }
    *word = kind == 'u' ? (int64_t)PyLong_AsUnsignedLongLongMask(whole) : PyLong_AsLongLong(whole);
    Py_DecRef(whole);
    return PyErr_Occurred() ? FAILED : TAKEN;
}

static int take_real(PyObject *value, int64_t *word) {
    double real = PyFloat_AsDouble(value);
    if (real == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        return OTHER_TYPE;
    }
    memcpy(word, &real, sizeof real);
    return TAKEN;
}

static int has_dtype(PyObject *found, PyObject *wanted) {
    return found == wanted || PyArray_EquivTypes((PyArray_Descr *)found, (PyArray_Descr *)wanted);
}

static int take_array(const Entry *entry, PyObject *value, const char **text, int64_t *block, int *at) {
    int dimensions = *(*text)++ - '0';
    PyObject *wanted = PyTuple_GetItem(entry->dtypes, strtol(*text, (char **)text, 10));
    (*text)++;
    if (!wanted) return FAILED;
    if (!PyArray_Check(value)) return OTHER_TYPE;
    PyArrayObject *array = (PyArrayObject *)value;
    if (PyArray_NDIM(array) != dimensions || !PyArray_ISCARRAY(array)) return OTHER_TYPE;
    if (!has_dtype((PyObject *)PyArray_DESCR(array), wanted)) return OTHER_TYPE;
    block[(*at)++] = (int64_t)(intptr_t)PyArray_DATA(array);
    for (int i = 0; i < dimensions; i++) block[(*at)++] = PyArray_DIM(array, i);
    return TAKEN;
}

static int take_record(const Entry *entry, PyObject *value, const char **text, int64_t *block, int *at) {
    PyObject *wanted = PyTuple_GetItem(entry->dtypes, strtol(*text, (char **)text, 10));
    (*text)++;
    if (!wanted) return FAILED;
    if (!PyArray_IsScalar(value, Void)) return OTHER_TYPE;
    PyArray_Descr *found = PyArray_DescrFromScalar(value);
    int fits = found && has_dtype((PyObject *)found, wanted);
    Py_DecRef((PyObject *)found);
    Py_buffer view;
    if (!fits || PyObject_GetBuffer(value, &view, PyBUF_SIMPLE) < 0) {
        PyErr_Clear();
        return OTHER_TYPE;
    }
    block[(*at)++] = (int64_t)(intptr_t)view.buf;
    PyBuffer_Release(&view);
    return TAKEN;
}

static int take(const Entry *entry, PyObject *value, const char **text, int64_t *block, int *at) {
    char kind = *(*text)++;
    switch (kind) {
    case 'i': case 'u': return take_integer(value, kind, &block[(*at)++]);
    case 'f': return take_real(value, &block[(*at)++]);
    case 'b': {
        int truth = PyObject_IsTrue(value);
        block[(*at)++] = truth;
        return truth < 0 ? FAILED : TAKEN;
    }
    case 'a': return take_array(entry, value, text, block, at);
    case 'r': return take_record(entry, value, text, block, at);
    case '(': {
        if (!PyTuple_Check(value)) return OTHER_TYPE;
        Py_ssize_t count = PyTuple_Size(value), i = 0;
        while (**text != ')') {
            if (i == count) return OTHER_TYPE;
            int result = take(entry, PyTuple_GetItem(value, i++), text, block, at);
            if (result != TAKEN) return result;
        }
        (*text)++;
        return i == count ? TAKEN : OTHER_TYPE;
    }
    }
    PyErr_Format(PyExc_SystemError, "an entry takes an argument of an unknown kind %c", kind);
    return FAILED;
}

static PyObject *give(char kind, int64_t word) {
    double real;
    switch (kind) {
    case 'i': return PyLong_FromLongLong(word);
    case 'u': return PyLong_FromUnsignedLongLong((uint64_t)word);
    case 'b': return PyBool_FromLong(word != 0);
    }
    memcpy(&real, &word, sizeof real);
    return PyFloat_FromDouble(real);
}

static PyObject *results(const Entry *entry, const int64_t *block) {
    if (entry->gives[0] == 0) Py_RETURN_NONE;
    if (entry->gives[0] != '(') return give(entry->gives[0], block[0]);
    Py_ssize_t count = (Py_ssize_t)strlen(entry->gives) - 1;
    PyObject *tuple = PyTuple_New(count);
    for (Py_ssize_t i = 0; tuple && i < count; i++) PyTuple_SetItem(tuple, i, give(entry->gives[i + 1], block[i]));
    return tuple;
}

static PyObject *call_other(const Entry *entry, PyObject *const *arguments, Py_ssize_t count) {
    PyObject *tuple = PyTuple_New(count);
    if (!tuple) return NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_IncRef(arguments[i]);
        PyTuple_SetItem(tuple, i, arguments[i]);
    }
    PyObject *result = PyObject_Call(entry->other, tuple, NULL);
    Py_DecRef(tuple);
    return result;
}

static PyObject *call(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    const Entry *entry = PyCapsule_GetPointer(self, NULL);
    int64_t block[MOST_WORDS];
    int at = 0;
    const char *text = entry->takes;
    if (count != entry->arguments) return call_other(entry, arguments, count);
    for (Py_ssize_t i = 0; i < count; i++) {
        int result = take(entry, arguments[i], &text, block, &at);
        if (result == FAILED) return NULL;
        if (result == OTHER_TYPE) return call_other(entry, arguments, count);
    }
    /* Other threads continue meanwhile, because a user's rule may take long or never end. */
    Py_BEGIN_ALLOW_THREADS
    entry->code(block);
    Py_END_ALLOW_THREADS
    return results(entry, block);
}

static void discard(PyObject *capsule) {
    Entry *entry = PyCapsule_GetPointer(capsule, NULL);
    Py_DecRef(entry->dtypes);
    Py_DecRef(entry->other);
    PyMem_Free(entry);
}

static PyMethodDef entry_method = {"entry", (PyCFunction)(void (*)(void))call, METH_FASTCALL, NULL};

static PyObject *make(PyObject *self, PyObject *arguments) {
    unsigned long long address;
    const char *takes, *gives;
    PyObject *dtypes, *other;
    int count;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "KsisOO", &address, &takes, &count, &gives, &dtypes, &other)) return NULL;
    if (strlen(takes) >= MOST_TEXT || strlen(gives) >= MOST_WORDS || !PyTuple_Check(dtypes)) {
        PyErr_SetString(PyExc_ValueError, "an entry takes or gives too much");
        return NULL;
    }
    Entry *entry = PyMem_Malloc(sizeof *entry);
    if (!entry) return PyErr_NoMemory();
    memset(entry, 0, sizeof *entry);
    entry->code = (void (*)(int64_t *))(uintptr_t)address;
    entry->arguments = count;
    strcpy(entry->takes, takes);
    strcpy(entry->gives, gives);
    Py_IncRef(dtypes);
    Py_IncRef(other);
    entry->dtypes = dtypes;
    entry->other = other;
    PyObject *capsule = PyCapsule_New(entry, NULL, discard);
    PyObject *function = capsule ? PyCFunction_NewEx(&entry_method, capsule, NULL) : NULL;
    Py_DecRef(capsule);
    return function;
}

/* The best of the processors "x86-64-v2" and "x86-64-v3" that this machine can run. */
static PyObject *processor(PyObject *self, PyObject *none) {
    (void)self, (void)none;
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v3")) return PyUnicode_FromString("x86-64-v3");
    if (__builtin_cpu_supports("x86-64-v2")) return PyUnicode_FromString("x86-64-v2");
    return PyUnicode_FromString("x86-64");
#else
    return PyUnicode_FromString("generic");
#endif
}

static PyMethodDef methods[] = {
    {"make", make, METH_VARARGS, "make(address, takes, arguments, gives, dtypes, other): a function that calls an entry"},
    {"processor", processor, METH_NOARGS, "The processor that libraries for this machine are compiled for."},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_call", "Calls of machine code.", -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__call(void) {
    import_array();
    return PyModule_Create(&definition);
}
