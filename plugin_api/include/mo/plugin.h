/* mo/plugin.h: the C ABI between mo-host and its plugins. This header is the contract, together with
 * mo/conventions.h, which names the attributes that plugins and host agree on.
 *
 * A plugin is a shared library that exports one function, mo_plugin_entry(), which returns a static
 * descriptor. The host calls descriptor->load() once per session; inside it the plugin registers
 * front-ends, operations, extractors, transformations, options and interfaces. Later the host calls
 * what was registered. Everything a plugin can reach comes through the mo_context it is handed.
 *
 * RULES THAT HOLD EVERYWHERE, unless a function says otherwise
 *   Status    Every function that can fail returns a mo_status. On failure outputs are untouched and the
 *             context carries a text (mo_host.last_error). A callback that returns another status than
 *             MO_OK should have set a text with mo_host.fail or fail_with, or pass on the status of a host
 *             call. What a callback that fails has written to its outputs is not looked at: a front-end's
 *             load that fails frees what it has made, and its unload is not called. A call that breaks what
 *             this header says, or names what is not there, is MO_INVALID_ARGUMENT.
 *   Strings   UTF-8, pointer and length, not terminated. {NULL, 0} is the empty string.
 *   Borrowed  What the host hands out is valid until the callback returns, the same node is edited, or
 *             mo_host.release_lent lets go of it, whichever comes first. What a plugin hands in is copied
 *             before the call returns, or comes with a release callback. Nothing is ever freed by the side
 *             that did not allocate it.
 *   Handles   mo_graph and mo_node are integers, unique within a session. A stale one is
 *             MO_STALE_HANDLE, never undefined behaviour. 0 is "none".
 *   Thread    [session]: callable only from inside a callback, on the thread that runs it; callbacks of
 *             one session never run concurrently, those of several sessions may. [any]: callable from any
 *             thread at any time. A callback that is [session] is called on the thread of its session, one
 *             that is [any] on any. `mo-host plugin check` answers MO_WRONG_THREAD to a plugin that calls
 *             from another thread.
 *   Release   A registration that was accepted is released once: release(user) is called when the session
 *             that it was registered in ends, the last registered first. So it is when another plugin was
 *             given precedence, or its own plugin was refused later. One that was refused is not released.
 *             load() is called in each session: what a plugin has only once for all sessions of a process is
 *             registered without a release, and given up in shutdown(), which is called once, after the last
 *             session. A process that crashes or is ended releases nothing.
 *   Exceptions No C++ exception and no longjmp crosses the boundary in either direction.
 *   Numbers   Element bytes are little-endian, dense, row-major; types below 8 bits are packed with the
 *             first element in the lowest bits (u1: in the highest, as the IR has it).
 *   Growth    Structs that can grow start with their size; tables and structs grow only at the end
 *             within a major. A member beyond the size the other side stated does not exist for it.
 *             Elements of an array of such structs have one size, and lie that far apart.
 *             Zero and NULL always mean "absent" or "default"; where there is no default, as for a phase, a
 *             kind or a direction, zero is an error. What is reserved, and the count of what is not a list,
 *             must be 0: the host looks, wherever it takes a struct, so that a later minor can give it a
 *             meaning.
 *   Signed    The last enumerator of a set whose numbers are kept in an int32_t is -1 and no value: it makes
 *             the others as signed as the members are, for bindings that look.
 *   Unknown   Values of enumerations are never reused. A plugin may be handed one that is newer than itself:
 *             a status it does not know is a failure, like MO_ERROR; of an element type it knows nothing but
 *             the number of bytes; a kind of value or port is one that it did not ask for. It leaves such
 *             things as they are. The host answers MO_INVALID_ARGUMENT to what it does not know, and refuses
 *             a plugin that registers it.
 *   Since     What is newer than ABI 1.0 says since which version it exists. What may still change is no part
 *             of this header: see mo/draft/README.md.
 *   Targets   64-bit ones: sizes and pointers have 8 bytes. Functions that cross the boundary have the
 *             calling convention MO_CALL, which is the platform's own everywhere so far.
 */
#ifndef MO_PLUGIN_H
#define MO_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#if UINTPTR_MAX != UINT64_MAX || SIZE_MAX != UINT64_MAX
#error "mo/plugin.h: plugins are for 64-bit targets"
#endif

#define MO_ABI_MAJOR 1
#define MO_ABI_MINOR 0
/* How often 1.0 was counted: once more with each layout that was accepted after plugins had been frozen for
 * the one before. A plugin that was built for another count is refused. Declaring 1.0 final does not change
 * the number: plugins for the last candidate go on working. */
#define MO_ABI_CANDIDATE 3

/* Stands where a function type or a callback is declared, so that a platform that has several conventions
 * can be given one. */
#ifndef MO_CALL
#define MO_CALL
#endif

/* The minor a plugin is built for. Define it lower to build, with new headers, a plugin for older hosts:
 * what is newer does not exist then. A function that is newer than 1.0 stands in
 * "#if MO_TARGET_MINOR >= n". */
#ifndef MO_TARGET_MINOR
#define MO_TARGET_MINOR MO_ABI_MINOR
#endif
#if MO_TARGET_MINOR > MO_ABI_MINOR
#error "MO_TARGET_MINOR is newer than this mo/plugin.h; get the headers of that release"
#endif
#if MO_TARGET_MINOR < 0
#error "MO_TARGET_MINOR: the oldest minor is 0"
#endif
/* The oldest minor a plugin can run on. Define it lower when everything newer is asked for with MO_HAS before
 * it is used. */
#ifndef MO_LOWEST_MINOR
#define MO_LOWEST_MINOR MO_TARGET_MINOR
#endif
#if MO_LOWEST_MINOR > MO_TARGET_MINOR
#error "MO_LOWEST_MINOR is above MO_TARGET_MINOR"
#endif

/* A compiler that knows neither exports what is external, or is told by its options. */
#if defined(_WIN32) || defined(__CYGWIN__)
#define MO_EXPORT __declspec(dllexport)
#elif defined(__GNUC__) || defined(__clang__)
#define MO_EXPORT __attribute__((visibility("default")))
#else
#define MO_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Plain values. Their layout is frozen; they carry no size. ------------------------------------ */

typedef struct mo_str {
  const char* data;
  size_t size;
} mo_str;

typedef int32_t mo_status;
enum {
  MO_OK = 0,
  MO_ERROR = 1,            /* see the text */
  MO_NOT_APPLICABLE = 2,   /* a probe, match or extractor says "not mine"; not an error */
  MO_NOT_FOUND = 3,        /* no such attribute, node, option, interface */
  MO_INVALID_ARGUMENT = 4, /* the caller broke this header's contract */
  MO_STALE_HANDLE = 5,     /* the node or graph is gone, or belongs to another session */
  MO_WRONG_KIND = 6,       /* the value exists but is of another kind */
  MO_WRONG_PHASE = 7,      /* not callable from this kind of callback */
  MO_UNSUPPORTED = 8,      /* this host does not offer it */
  MO_NO_MEMORY = 9,
  MO_IO_ERROR = 10,
  MO_CANCELLED = 11,
  MO_WRONG_THREAD = 12, /* a [session] function, called from another thread than that of the callback */
  MO_STATUS_SIGNED_ = -1
};

typedef uint64_t mo_graph;
typedef uint64_t mo_node;

enum { MO_PORT_OUT = 1, MO_PORT_IN = 2, MO_PORT_SIGNED_ = -1 };
typedef struct mo_port {
  mo_node node; /* 0: no port; the rest is not looked at then */
  uint32_t index;
  int32_t direction; /* MO_PORT_ */
} mo_port;
enum { MO_ANY_PORT = -1 }; /* where a pattern names the index of a port */

/* A dimension is the closed interval [min, max]; max -1 = no upper bound; static when min == max. */
typedef struct mo_dim {
  int64_t min;
  int64_t max;
} mo_dim;

/* What is known of one element of an integer tensor: it is in [min, max]. An end of which nothing is known is
 * open, and its number 0. Exact: no end is open, and min == max. */
enum { MO_OPEN_MIN = 1, MO_OPEN_MAX = 2 };
typedef struct mo_interval {
  int64_t min;
  int64_t max;
  uint32_t open; /* MO_OPEN_ bits */
  uint32_t reserved;
} mo_interval;

/* rank -1: nothing is known, not even the rank; dims is NULL then. rank 0: a scalar. */
typedef struct mo_shape {
  const mo_dim* dims;
  int64_t rank;
} mo_shape;

typedef int32_t mo_type;
enum {
  MO_TYPE_UNKNOWN = 0,
  MO_BOOL = 1, /* one byte per element, 0 or 1 */
  MO_BF16 = 2,
  MO_F16 = 3,
  MO_F32 = 4,
  MO_F64 = 5,
  MO_I4 = 6,
  MO_I8 = 7,
  MO_I16 = 8,
  MO_I32 = 9,
  MO_I64 = 10,
  MO_U1 = 11,
  MO_U2 = 12,
  MO_U3 = 13,
  MO_U4 = 14,
  MO_U6 = 15,
  MO_U8 = 16,
  MO_U16 = 17,
  MO_U32 = 18,
  MO_U64 = 19,
  MO_NF4 = 20,
  MO_F8E4M3 = 21,
  MO_F8E5M2 = 22,
  MO_F4E2M1 = 23,
  MO_F8E8M0 = 24,
  MO_STRING = 25, /* IR layout: int32 count, count+1 int32 offsets, bytes */
  MO_TYPE_SIGNED_ = -1
};

typedef struct mo_tensor mo_tensor; /* a counted reference held by the host */
typedef struct mo_file mo_file;     /* a counted, read-only mapping of a file held by the host */
typedef struct mo_match mo_match;   /* a match of a pattern; valid during the callback that got it */

enum {
  MO_VALUE_NONE = 0,
  MO_VALUE_INT = 1,
  MO_VALUE_FLOAT = 2,
  MO_VALUE_BOOL = 3, /* u.i is 0 or 1 */
  MO_VALUE_STRING = 4,
  MO_VALUE_TYPE = 5, /* u.i is a mo_type */
  MO_VALUE_SHAPE = 6,
  MO_VALUE_TENSOR = 7,
  MO_VALUE_GRAPH = 8, /* a sub-graph, owned by the attribute it is set to */
  MO_VALUE_BYTES = 9, /* u.s */
  MO_VALUE_INTS = 16,
  MO_VALUE_FLOATS = 17,
  MO_VALUE_BOOLS = 18, /* one byte each */
  MO_VALUE_STRINGS = 19,
  MO_VALUE_TYPES = 20,
  MO_VALUE_SHAPES = 21,
  MO_VALUE_TENSORS = 22,
  MO_VALUE_GRAPHS = 23,
  MO_VALUE_SIGNED_ = -1
};

typedef struct mo_value {
  int32_t kind;
  int32_t reserved; /* 0 */
  uint64_t count;   /* of a list; 0 otherwise */
  union {
    int64_t i;
    double f;
    mo_str s;
    mo_shape shape;
    mo_tensor* tensor; /* borrowed; retain it to keep it */
    mo_graph graph;
    const int64_t* ints;
    const double* floats;
    const uint8_t* bools;
    const mo_str* strings;
    const mo_type* types;
    const mo_shape* shapes;
    mo_tensor* const* tensors;
    const mo_graph* graphs;
  } u;
} mo_value;

/* ---- The context: first argument of every callback and of every host function. -------------------- */

typedef struct mo_host mo_host;

typedef struct mo_context {
  size_t size;
  const mo_host* host; /* lives as long as the process */
} mo_context;

/* ---- Tensors ------------------------------------------------------------------------------------- */

typedef struct mo_tensor_info {
  size_t size;         /* set by the caller */
  const int64_t* dims; /* borrowed for the life of the tensor */
  int64_t rank;
  uint64_t bytes;
  mo_type element_type;
  /* Not 0: the elements are in memory or in a mapped file, and mo_tensor_api.data gives them at once. 0: they
   * are computed or fetched first. */
  int32_t resident;
} mo_tensor_info;

/* Elements that are computed, unpacked or fetched when somebody needs them. Everything is copied, but what
 * `user` points to. */
typedef struct mo_lazy_def {
  size_t size;
  const int64_t* dims;
  int64_t rank;
  /* How many there are; 0 = what type and dims need. MO_STRING needs it. */
  uint64_t bytes;
  /* The tensors that read looks at. The host keeps them as long as it may call read, and knows from them how
   * long a chain is: one that gets long is computed while it is made, so any length is safe. */
  mo_tensor* const* bases;
  uint64_t n_bases;
  void* user;
  /* Writes the bytes from `offset` on to `buffer`: whole elements, of types below 8 bits whole bytes. buffer
   * is aligned as the type is. Pieces are asked for in any order, mostly one after the other, and some of
   * them twice; a piece has the same bytes each time. [any], and not twice at once for one tensor. The
   * context serves mo_tensor_api, mo_host.fail and last_error; the rest is MO_WRONG_PHASE. No lazy tensor but
   * `bases` may be read: one that reads itself is MO_INVALID_ARGUMENT. */
  mo_status(MO_CALL* read)(void* user, mo_context*, uint64_t offset, uint64_t bytes, void* buffer);
  /* Once, after the last read: when the tensor goes, or is in memory. [any]; may be NULL. */
  void(MO_CALL* release)(void* user);
  mo_type element_type;
  int32_t reserved; /* 0 */
} mo_lazy_def;

/* All functions here are [session], but retain, release, info and data, which are [any]. */
typedef struct mo_tensor_api {
  size_t size;
  void(MO_CALL* retain)(mo_tensor* tensor);
  void(MO_CALL* release)(mo_tensor* tensor); /* NULL is allowed */
  /* What the tensor is. It computes nothing, and fails for no live tensor. */
  mo_status(MO_CALL* info)(const mo_tensor* tensor, mo_tensor_info* info);
  /* Its elements, for the life of the tensor; of a lazy one they are computed, once. *data may be unaligned,
   * and is NULL where there are no bytes. Errors: MO_NO_MEMORY, MO_IO_ERROR, the status of mo_lazy_def.read.
   * On a thread of the plugin's own the context is NULL, and a failure has no text. Whoever only reads once,
   * or a part, had better call read. */
  mo_status(MO_CALL* data)(mo_context*, const mo_tensor* tensor, const void** data);
  /* A zero-filled tensor of the host. *data may be written until the tensor is given to any other host
   * function. The caller owns one reference of *tensor. Errors: MO_INVALID_ARGUMENT for negative or
   * overflowing dims, MO_NO_MEMORY. */
  mo_status(MO_CALL* create)(mo_context*, mo_type type, const int64_t* dims, int64_t rank, mo_tensor** tensor,
                             void** data);
  /* A view of foreign memory, kept alive by the plugin until release(user) is called (from any thread; may
   * be NULL for static data). On failure release is not called. bytes must be what type and dims need. */
  mo_status(MO_CALL* wrap)(mo_context*, mo_type type, const int64_t* dims, int64_t rank, const void* data,
                           uint64_t bytes, void(MO_CALL* release)(void* user), void* user,
                           mo_tensor** tensor);
  /* Another look at the bytes of base from byte_offset on, without a copy: reshape, slice of the first
   * dimension, reinterpretation. Error when it does not fit into base. */
  mo_status(MO_CALL* view)(mo_context*, mo_tensor* base, uint64_t byte_offset, mo_type type,
                           const int64_t* dims, int64_t rank, mo_tensor** tensor);
  /* A tensor whose elements are computed when they are needed: weights that are scaled, turned, converted or
   * joined take no memory, because the host reads them in pieces when it compares and writes them. On failure
   * release is not called. Of an isolated plugin it is computed at once. */
  mo_status(MO_CALL* lazy)(mo_context*, const mo_lazy_def*, mo_tensor** tensor);
  /* Copies bytes of any tensor to buffer. The tensor stays as it is: nothing becomes resident that was not.
   * MO_INVALID_ARGUMENT beyond its end; MO_IO_ERROR when its file became shorter; the status of
   * mo_lazy_def.read. Also inside mo_lazy_def.read. */
  mo_status(MO_CALL* read)(mo_context*, const mo_tensor* tensor, uint64_t offset, uint64_t bytes,
                           void* buffer);
} mo_tensor_api;

/* Files are mapped read-only and shared: mapping the same file twice gives the same mapping. [session] */
typedef struct mo_file_api {
  size_t size;
  /* Errors name the path and the reason. */
  mo_status(MO_CALL* open)(mo_context*, mo_str path, mo_file** file);
  /* Opens folder/relative and refuses absolute paths, "..", and links that lead out of folder. */
  mo_status(MO_CALL* open_below)(mo_context*, mo_str folder, mo_str relative, mo_file** file);
  void(MO_CALL* release)(mo_file* file); /* [any] */
  /* Valid while a reference to the file, or a tensor into it, lives. data is NULL for an empty file. */
  void(MO_CALL* data)(const mo_file* file, const void** data, uint64_t* bytes); /* [any] */
  /* A tensor that looks into the file; keeps it mapped. Error when offset + bytes is outside. */
  mo_status(MO_CALL* tensor)(mo_context*, mo_file* file, uint64_t offset, uint64_t bytes, mo_type type,
                             const int64_t* dims, int64_t rank, mo_tensor** tensor);
} mo_file_api;

/* ---- The graph ------------------------------------------------------------------------------------ */

/* What is known about the tensor of an out-port. */
typedef struct mo_tensor_desc {
  size_t size;
  mo_shape shape;
  mo_tensor* value;          /* the constant value, or NULL; borrowed */
  const mo_interval* bounds; /* for small integer tensors whose elements are known as intervals; or NULL */
  uint64_t bounds_count;
  mo_type element_type;
  int32_t reserved;
} mo_tensor_desc;

/* As a number of ports: as many as the operation declares at the least, and one output where it may have
 * one. Of an operation that nobody has registered: no input, one output. */
#define MO_DECLARED_PORTS UINT32_MAX

typedef struct mo_node_init {
  size_t size;
  mo_str op;
  mo_str opset;               /* "" until an extractor or transformation decides */
  mo_str name;                /* made unique by the host with a suffix; "" = derived from op */
  const mo_port* inputs;      /* out-ports to connect to in-ports 0..n-1; node 0 leaves one unconnected */
  uint32_t n_inputs;          /* or MO_DECLARED_PORTS, with inputs NULL: they are unconnected */
  uint32_t n_outputs;         /* or MO_DECLARED_PORTS, with output_names NULL */
  const mo_str* output_names; /* n_outputs tensor names, "" = none; NULL = none at all */
  uint64_t native; /* front-ends: tag by which native_attr finds the source description; 0 = none */
} mo_node_init;

/* Where a size comes from. Two symbols with the same members are the same number, whatever shapes the inputs
 * of the model get. */
enum {
  MO_SYMBOL_NUMBER = 1,    /* always `index`; node and port are 0 */
  MO_SYMBOL_DIMENSION = 2, /* dimension `index` of out-port `port` of `node` */
  MO_SYMBOL_ELEMENT = 3,   /* element `index` of the integers of out-port `port` of `node` */
  MO_SYMBOL_SIGNED_ = -1
};
typedef struct mo_symbol {
  mo_node node;
  int64_t index;
  uint32_t port;
  int32_t kind; /* MO_SYMBOL_ */
} mo_symbol;

/* Where the sizes of a tensor come from, and its elements when it is a scalar or a short list of sizes. */
typedef struct mo_tensor_symbols {
  size_t size;
  const mo_symbol* dims;
  int64_t rank; /* -1: not known; dims is NULL then */
  const mo_symbol* values;
  int64_t n_values; /* -1: not known; values is NULL then */
} mo_tensor_symbols;

/* Of the inputs of a node, or of its outputs. */
typedef struct mo_symbols {
  size_t size;
  const mo_tensor_symbols* const* tensors; /* NULL where nothing is known, or nothing connected */
  uint64_t count;
} mo_symbols;

typedef struct mo_operation_def mo_operation_def;

/* How tensor names travel when a connection is edited: keep those of the (new) source, move those of the
 * old one along, or both. */
enum { MO_NAMES_MERGE = 0, MO_NAMES_SOURCE = 1, MO_NAMES_DEST = 2, MO_NAMES_SIGNED_ = -1 };

/* Every function is [session]. List functions write up to `capacity` items to `items` and the full number to
 * *count, and are MO_OK when there are more than fit, too; call once with capacity 0, or with a buffer that
 * is likely to do. The order is deterministic. */
typedef struct mo_graph_api {
  size_t size;

  /* Graphs */
  mo_status(MO_CALL* graph_name)(mo_context*, mo_graph, mo_str* name);
  mo_status(MO_CALL* set_graph_name)(mo_context*, mo_graph, mo_str name);
  /* A new sub-graph; owned by the session until it is set as an attribute. A graph has one holder, a node:
   * setting one that a node holds, or that the node lies in, is MO_INVALID_ARGUMENT. To move a body, take it
   * away from its holder first (another value, or remove_node): it lives until the callback returns, longer
   * where it is set. */
  mo_status(MO_CALL* create_graph)(mo_context*, mo_str name, mo_graph* graph);
  /* A copy with all that the graph has: attributes and rt_info of its nodes, names, what is known of tensors,
   * and copies of the bodies inside it. Nodes of the copy have the same names. Owned as a new sub-graph is.
   */
  mo_status(MO_CALL* clone_graph)(mo_context*, mo_graph, mo_graph* copy);
  /* The node that holds this graph as a body; 0 for the main graph. */
  mo_status(MO_CALL* parent)(mo_context*, mo_graph, mo_node* node);
  /* Attributes of the graph itself: those of mo/conventions.h, and whatever plugins agree on. */
  mo_status(MO_CALL* graph_attr)(mo_context*, mo_graph, mo_str name, mo_value* value);
  mo_status(MO_CALL* set_graph_attr)(mo_context*, mo_graph, mo_str name,
                                     const mo_value* value); /* NULL erases */
  mo_status(MO_CALL* graph_attr_names)(mo_context*, mo_graph, mo_str* items, uint64_t capacity,
                                       uint64_t* count);
  /* All nodes, or those of one op, named as in mo_transformation_def.ops (found by index: the cost is what is
   * returned), in order of creation. */
  mo_status(MO_CALL* nodes)(mo_context*, mo_graph, mo_str op, mo_node* items, uint64_t capacity,
                            uint64_t* count);
  /* Producers first. Error with the nodes of a cycle when there is one. */
  mo_status(MO_CALL* topological)(mo_context*, mo_graph, mo_node* items, uint64_t capacity, uint64_t* count);
  mo_status(MO_CALL* find)(mo_context*, mo_graph, mo_str name, mo_node* node); /* MO_NOT_FOUND */
  /* The out-port that has `name` among its tensor names; of several the first in order of creation.
   * Looks through the graph. MO_NOT_FOUND. */
  mo_status(MO_CALL* find_tensor)(mo_context*, mo_graph, mo_str name, mo_port* out);
  /* Graph inputs and outputs, in the order of the model. */
  mo_status(MO_CALL* parameters)(mo_context*, mo_graph, mo_node* items, uint64_t capacity, uint64_t* count);
  mo_status(MO_CALL* results)(mo_context*, mo_graph, mo_node* items, uint64_t capacity, uint64_t* count);
  /* Infers what is marked (see mark), or everything when `all` is not 0. Sub-graphs too when called on one.
   */
  mo_status(MO_CALL* infer)(mo_context*, mo_graph, int32_t all);
  /* Removes what no result needs, after inferring what is marked. */
  mo_status(MO_CALL* clean_up)(mo_context*, mo_graph);

  /* Nodes */
  mo_status(MO_CALL* create_node)(mo_context*, mo_graph, const mo_node_init*, mo_node*);
  mo_status(MO_CALL* create_const)(mo_context*, mo_graph, mo_str name, mo_tensor* value, mo_node*);
  /* Disconnects and removes. Handles of it are stale afterwards. */
  mo_status(MO_CALL* remove_node)(mo_context*, mo_node);
  mo_status(MO_CALL* graph_of)(mo_context*, mo_node, mo_graph*);
  mo_status(MO_CALL* op)(mo_context*, mo_node, mo_str* op);
  mo_status(MO_CALL* opset)(mo_context*, mo_node, mo_str* opset);
  /* Changes what the node is; in- and out-ports stay. Marks it for inference. */
  mo_status(MO_CALL* set_op)(mo_context*, mo_node, mo_str op, mo_str opset);
  mo_status(MO_CALL* node_name)(mo_context*, mo_node, mo_str* name);
  /* The name users know it by. Error when another node of the graph has it. */
  mo_status(MO_CALL* rename)(mo_context*, mo_node, mo_str name);
  /* Marks a node so that the next infer computes it again. */
  mo_status(MO_CALL* mark)(mo_context*, mo_node);

  /* Ports. In- and out-ports are numbered from 0, each without gaps; one may be unconnected. Of the two
   * numbers, one may be NULL. */
  mo_status(MO_CALL* port_counts)(mo_context*, mo_node, uint32_t* inputs, uint32_t* outputs);
  mo_status(MO_CALL* add_port)(mo_context*, mo_node, int32_t direction, mo_port* port); /* at the end */
  /* Disconnects it and moves the following ones down. */
  mo_status(MO_CALL* delete_port)(mo_context*, mo_port);
  /* Of an in-port: the out-port it reads; *source.node is 0 when unconnected. */
  mo_status(MO_CALL* source)(mo_context*, mo_port in, mo_port* source);
  /* Of an out-port: the in-ports that read it, in order of connection. */
  mo_status(MO_CALL* destinations)(mo_context*, mo_port out, mo_port* items, uint64_t capacity,
                                   uint64_t* count);
  /* Connects; an earlier source of `in` is disconnected. Both ports of one graph. */
  mo_status(MO_CALL* connect)(mo_context*, mo_port out, mo_port in);
  /* An in-port loses its source; an out-port all its destinations. */
  mo_status(MO_CALL* disconnect)(mo_context*, mo_port);

  /* Connections, named by their source out-port. `names` is a MO_NAMES_ value. */
  /* Moves every destination of `from` to `to`. */
  mo_status(MO_CALL* set_source)(mo_context*, mo_port from, mo_port to, int32_t names);
  /* The only destination of `out` becomes `in`; error when it has several. */
  mo_status(MO_CALL* set_destination)(mo_context*, mo_port out, mo_port in, int32_t names);
  /* Puts a node with one output between `out` and all its destinations. */
  mo_status(MO_CALL* insert_node)(mo_context*, mo_port out, mo_node node, int32_t names);

  /* Tensors of out-ports (an in-port stands for its source). *desc is borrowed. A transformation of the
   * middle or later phases sees what its edits make of them: what is marked and matters here is inferred
   * first, and what cannot be inferred yet is unknown. */
  mo_status(MO_CALL* desc)(mo_context*, mo_port, const mo_tensor_desc** desc);
  mo_status(MO_CALL* set_shape)(mo_context*, mo_port out, mo_type type, const mo_shape* shape);
  mo_status(MO_CALL* set_value)(mo_context*, mo_port out, mo_tensor* value);
  mo_status(MO_CALL* tensor_names)(mo_context*, mo_port out, mo_str* items, uint64_t capacity,
                                   uint64_t* count);
  mo_status(MO_CALL* set_tensor_names)(mo_context*, mo_port out, const mo_str* items, uint64_t count);

  /* Attributes. node_attr falls back to the default that the operation registered. */
  mo_status(MO_CALL* node_attr)(mo_context*, mo_node, mo_str name, mo_value*);
  /* Many in one call; an absent one has kind MO_VALUE_NONE. */
  mo_status(MO_CALL* node_attrs)(mo_context*, mo_node, const mo_str* names, uint64_t count, mo_value* values);
  /* NULL erases. A graph that is set becomes a body of the node. MO_INVALID_ARGUMENT, and nothing changes: a
   * node holds the graph already (see create_graph), it is the node's own or one that contains it, or it is
   * named twice. */
  mo_status(MO_CALL* set_node_attr)(mo_context*, mo_node, mo_str name, const mo_value*);
  mo_status(MO_CALL* node_attr_names)(mo_context*, mo_node, mo_str* items, uint64_t capacity,
                                      uint64_t* count);
  /* rt_info: string keys to values that travel with a node into the IR. */
  mo_status(MO_CALL* rt_info)(mo_context*, mo_node, mo_str name, mo_value*);
  mo_status(MO_CALL* set_rt_info)(mo_context*, mo_node, mo_str name,
                                  const mo_value*); /* NULL erases; no graph */
  mo_status(MO_CALL* rt_info_names)(mo_context*, mo_node, mo_str* items, uint64_t capacity, uint64_t* count);
  /* Merges the rt_info of all `from` and sets it on every `to`. */
  mo_status(MO_CALL* copy_rt_info)(mo_context*, const mo_node* from, uint64_t n_from, const mo_node* to,
                                   uint64_t n_to);

  /* The source description of a node as its front-end reads it. MO_NOT_FOUND when it has no such attribute.
   */
  mo_status(MO_CALL* native_attr)(mo_context*, mo_node, mo_str name, mo_value*);
  mo_status(MO_CALL* native_attr_names)(mo_context*, mo_node, mo_str* items, uint64_t capacity,
                                        uint64_t* count);
  mo_status(MO_CALL* native_tag)(mo_context*, mo_node, uint64_t* tag);
  /* What the framework calls the operation: domain, version of the operation set and type. MO_NOT_FOUND for a
   * node that did not come from a front-end. */
  mo_status(MO_CALL* native_key)(mo_context*, mo_node, mo_str* domain, int32_t* version, mo_str* op);

  /* For readers of IRs: the opset whose definition of `op` a file means that says `opset`. Of
   * "opsetN" that is the newest one up to N that is defined; of any other name itself. *defining lives as
   * long as the session. MO_NOT_FOUND: nobody defines it. */
  mo_status(MO_CALL* defining_opset)(mo_context*, mo_str op, mo_str opset, mo_str* defining);
  /* Sets the attribute that the IR calls `name` from its text there, in the kind that the node's
   * operation declares; of a Parameter its shape and element_type. One that it does not declare is kept as
   * text and written back to an IR. Error: the text is none of that kind. */
  mo_status(MO_CALL* set_ir_attr)(mo_context*, mo_node, mo_str name, mo_str text);
  /* What the node's operation registered, callbacks and user left out. MO_NOT_FOUND: nobody defines it. */
  mo_status(MO_CALL* definition)(mo_context*, mo_node, const mo_operation_def** definition);
  /* The same by name. opset "": the newest of OpenVINO's sets that defines it. */
  mo_status(MO_CALL* definition_of)(mo_context*, mo_str op, mo_str opset,
                                    const mo_operation_def** definition);
  /* Asks the node's operation where the sizes of its outputs come from, when those of its inputs come from
   * `inputs`. MO_NOT_FOUND: it has no mo_operation_def.symbols. With `inputs` NULL only that is answered. */
  mo_status(MO_CALL* symbols)(mo_context*, mo_node, const mo_symbols* inputs, const mo_symbols** outputs);
  /* Many of native_attr in one call; an absent one has kind MO_VALUE_NONE. */
  mo_status(MO_CALL* native_attrs)(mo_context*, mo_node, const mo_str* names, uint64_t count,
                                   mo_value* values);
} mo_graph_api;

/* ---- Operations ------------------------------------------------------------------------------------ */

/* What follows for an input or an attribute when the dimensions of an operation's tensors change their order,
 * as from channels last to channels first. An operation one of whose inputs is MO_ROLE_DATA or MO_ROLE_SPREAD
 * can do with any order; its results are in that order, too. */
enum {
  MO_ROLE_NONE = 0,          /* nothing is said; of an input: it is put back into the order of the model */
  MO_ROLE_DATA = 1,          /* an input in the order of the result; or it has one element */
  MO_ROLE_SPREAD = 2,        /* an input that is spread over the result as numpy does, when its rank is less;
                                an attribute that says how: "numpy", "none" or "pdpd" */
  MO_ROLE_PER_DIMENSION = 3, /* a list with one entry for each dimension */
  MO_ROLE_AXES = 4,          /* a number of a dimension, or a list of them */
  MO_ROLE_REDUCED_AXES = 5,  /* the same; the result has these no more where its rank is less */
  MO_ROLE_ANY = 6,           /* an input whose order means nothing: a scalar, a list of something else */
  MO_ROLE_FIXED = 7,         /* an input that has to stay in the order of the model */
  MO_ROLE_SIGNED_ = -1
};

/* One attribute of an operation: what it may be, and how it is written to the IR. */
typedef struct mo_attr_def {
  size_t size;
  mo_str name;
  mo_str ir_name;           /* name in the IR; "" = same; "-" = never written */
  const mo_value* fallback; /* default; NULL: none */
  const mo_str* allowed;    /* legal values of a string attribute */
  uint64_t n_allowed;
  int32_t kind;     /* MO_VALUE_ */
  int32_t required; /* not 0: an error when absent */
  int32_t role;     /* MO_ROLE_; NONE, SPREAD, PER_DIMENSION, AXES or REDUCED_AXES */
  int32_t reserved;
} mo_attr_def;

enum {
  /* An input that is a shape, sizes or positions: what it is computed from must not lose digits. */
  MO_PORT_TAKES_SIZES = 1
};

/* One input or output of an operation. */
typedef struct mo_port_def {
  size_t size;
  mo_str name;    /* "data"; for messages. "" = none */
  uint64_t types; /* element types it may have, a bit for each: 1 << MO_F32; 0 = any */
  int32_t role;   /* MO_ROLE_; NONE of an output */
  uint32_t flags; /* MO_PORT_TAKES_SIZES */
} mo_port_def;

typedef struct mo_infer_args {
  size_t size;
  mo_node node;
  const mo_tensor_desc* const* inputs; /* NULL where an optional input is not connected */
  uint32_t n_inputs;
  uint32_t n_outputs;
} mo_infer_args;

typedef struct mo_evaluate_args {
  size_t size;
  mo_node node;
  mo_tensor* const* inputs; /* all present inputs have a value; NULL where not connected */
  uint32_t n_inputs;
  uint32_t n_outputs;
} mo_evaluate_args;

enum {
  /* Its value comes from the shape of its input: not folded, to keep models reshapeable. */
  MO_OP_SHAPE_SOURCE = 1,
  /* Never replaced by a constant (random numbers, state). A single node is kept by MO_ATTR_STOP_VALUE. */
  MO_OP_NO_FOLD = 2,
  MO_OP_SINK = 4, /* kept although nothing reads it (Assign) */
  /* Each element of the results is made of those at its place in the inputs, which are spread over one
   * another as numpy does, or as the attribute of MO_ROLE_SPREAD says. Inputs without a role are
   * MO_ROLE_SPREAD. */
  MO_OP_ELEMENT_WISE = 8,
  MO_OP_COMMUTATIVE = 16, /* its two inputs may be exchanged */
  MO_OP_KEEPS_SHAPE = 32, /* every output has the shape of the first input */
  /* Its first input has the dimensions batch, channels, and those of space. */
  MO_OP_CHANNELS_FIRST = 64
};

/* Every callback is [session]. */
struct mo_operation_def {
  size_t size;
  mo_str
      op; /* the type in the IR; "_": every type of the opset that nobody defines. Parameter, Result, Const: of opset1 alone */
  mo_str opset; /* "opset1", the vendor's own name, or "extension", which is open to everybody */
  mo_str doc;   /* one line */
  const mo_attr_def* attrs;
  uint64_t n_attrs;
  uint32_t min_inputs, max_inputs; /* max UINT32_MAX: any number */
  uint32_t min_outputs, max_outputs;
  uint32_t flags; /* MO_OP_ */
  uint32_t reserved;
  /* In their order; the last one stands for all that follow. None: nothing is said of them. */
  const mo_port_def* inputs;
  uint64_t n_inputs;
  const mo_port_def* outputs;
  uint64_t n_outputs;
  void* user; /* handed to every callback below */
  /* Output shapes and types through mo_infer_api. Must not invent: what is unknown is left unknown. An output
   * that is not set has an unknown rank, and the type of the first input.
   * NULL: outputs keep what is known of them; those of a node that replaced a configured sub-graph are as the
   * sub-graph's. */
  mo_status(MO_CALL* infer)(void* user, mo_context*, const mo_infer_args*);
  /* Values of all outputs from values of the inputs, through mo_infer_api.set_value. NULL: cannot. */
  mo_status(MO_CALL* evaluate)(void* user, mo_context*, const mo_evaluate_args*);
  /* Additional or computed attributes for the IR: calls mo_infer_api.add_ir_attr. NULL: those of attrs. */
  mo_status(MO_CALL* ir_attrs)(void* user, mo_context*, mo_node);
  /* Where the sizes of outputs come from, through mo_infer_api.set_symbols and set_value_symbols: what is not
   * set is a size of its own. NULL: what flags say, or nothing. */
  mo_status(MO_CALL* symbols)(void* user, mo_context*, mo_node, const mo_symbols* inputs);
  void(MO_CALL* release)(void* user); /* see Release; may be NULL, here as in every definition */
};

/* [session], from infer and evaluate (set_*), from ir_attrs (add_ir_attr) and from symbols (set_*symbols).
 * `index` is an out-port. */
typedef struct mo_infer_api {
  size_t size;
  mo_status(MO_CALL* set_output)(mo_context*, uint32_t index, mo_type type, const mo_shape* shape);
  mo_status(MO_CALL* set_value)(mo_context*, uint32_t index, mo_tensor* value); /* sets shape and type, too */
  /* Element-wise intervals of an integer tensor whose shape is static and has `count` elements. */
  mo_status(MO_CALL* set_bounds)(mo_context*, uint32_t index, const mo_interval* bounds, uint64_t count);
  mo_status(MO_CALL* add_ir_attr)(mo_context*, mo_str name, mo_str text);
  /* From evaluate: the values of the Results of a body, in their order, from one value for each of
   * its Parameters. The body must have been inferred; it stays as it is. Of each output the caller owns a
   * reference. n_outputs must be the number of Results. MO_UNSUPPORTED, with a text that names the node, when
   * something in the body has no value, or when constants are folded and this evaluate has asked for more
   * than a conversion should take: then pass it on. */
  mo_status(MO_CALL* evaluate_graph)(mo_context*, mo_graph, mo_tensor* const* inputs, uint64_t n_inputs,
                                     mo_tensor** outputs, uint64_t n_outputs);
  mo_status(MO_CALL* set_symbols)(mo_context*, uint32_t index, const mo_symbol* dims, uint64_t rank);
  mo_status(MO_CALL* set_value_symbols)(mo_context*, uint32_t index, const mo_symbol* values, uint64_t count);
} mo_infer_api;

/* ---- Extractors ------------------------------------------------------------------------------------ */

typedef struct mo_extractor_def {
  size_t size;
  mo_str framework; /* "" = any */
  mo_str domain;    /* "" = the framework's default one */
  mo_str op;        /* the framework's operation type */
  int32_t since;    /* first and last version of the framework operation; 0 = open */
  int32_t until;
  void* user;
  /* Reads native attributes of `node`, sets op, opset and attributes on it. No graph surgery here.
   * MO_NOT_APPLICABLE leaves the node as it is. [session] */
  mo_status(MO_CALL* extract)(void* user, mo_context*, mo_node node);
  void(MO_CALL* release)(void* user); /* [session] */
} mo_extractor_def;

/* ---- Transformations --------------------------------------------------------------------------------- */

enum { /* phases, in the order they run */
       MO_PHASE_LOAD = 1,
       MO_PHASE_FRONT = 2,
       MO_PHASE_PRE_MIDDLE = 3,
       MO_PHASE_MIDDLE = 4,
       MO_PHASE_POST_MIDDLE = 5,
       MO_PHASE_BACK = 6,
       MO_PHASE_EMIT = 7,
       MO_PHASE_SIGNED_ = -1
};

enum {
  MO_TRANSFORM_GRAPH = 1,          /* on_graph once per graph */
  MO_TRANSFORM_OP = 2,             /* on_node for each node whose op is one of ops */
  MO_TRANSFORM_PATTERN = 3,        /* on_match for each sub-graph isomorphic to nodes and edges */
  MO_TRANSFORM_MATCHER = 4,        /* on_match for each node at which the tree rooted at nodes[0] matches */
  MO_TRANSFORM_CONFIG_SCOPE = 5,   /* on_match for each instance of a "scope" entry with this id */
  MO_TRANSFORM_CONFIG_POINTS = 6,  /* on_match for each instance of a "points" entry with this id */
  MO_TRANSFORM_CONFIG_GENERAL = 7, /* on_graph once per "general" entry with this id */
  MO_TRANSFORM_SIGNED_ = -1
};

enum {
  MO_PATTERN_OP = 1,       /* a node of one of `ops`; any op when there are none */
  MO_PATTERN_ANY = 2,      /* any out-port */
  MO_PATTERN_OR = 3,       /* the first of `inputs` that matches */
  MO_PATTERN_OPTIONAL = 4, /* a node of one of `ops`, or, when absent, its input 0 in its place */
  MO_PATTERN_DATA = 5,     /* PATTERN only: a tensor; stands for an out-port */
  MO_PATTERN_SIGNED_ = -1
};
enum {
  MO_PATTERN_COMMUTATIVE = 1,  /* the two inputs may come in either order; so they may of an operation that
                                  says so itself (MO_OP_COMMUTATIVE) */
  MO_PATTERN_VARIADIC = 2,     /* further inputs of the node are not looked at */
  MO_PATTERN_ONE_CONSUMER = 4, /* every output has at most one destination */
  MO_PATTERN_IN_ORDER = 8      /* the inputs come in this order, even of an operation that is commutative */
};

typedef struct mo_pattern_attr {
  size_t size;
  mo_str name; /* also "op", "opset", "name", "type" */
  mo_value value;
} mo_pattern_attr;

typedef struct mo_pattern_input {
  size_t size;
  uint32_t node;    /* index into nodes */
  int32_t out_port; /* of the producer, or MO_ANY_PORT */
} mo_pattern_input;

typedef struct mo_pattern_node {
  size_t size;
  mo_str alias;
  const mo_str* ops;
  uint64_t n_ops;
  const mo_pattern_attr* attrs;
  uint64_t n_attrs;
  const mo_pattern_input* inputs; /* MATCHER: the tree below; unused by PATTERN */
  uint64_t n_inputs;
  int32_t kind;   /* MO_PATTERN_ */
  uint32_t flags; /* MO_PATTERN_ */
  void* user;     /* for predicate; released with the transformation */
  /* Further condition on the candidate, asked when all ops of the pattern fit; *ok is 0 or 1. One that says
   * no with a reason (mo_rewrite_api.decline) makes the place a near miss, which --explain tells. `port` is
   * the out-port reached, of any for a root. NULL: none. [session] */
  mo_status(MO_CALL* predicate)(void* user, mo_context*, mo_port port, int32_t* ok);
} mo_pattern_node;

typedef struct mo_pattern_edge {
  size_t size;
  uint32_t producer, consumer; /* indices into nodes */
  int32_t out_port, in_port;   /* or MO_ANY_PORT */
} mo_pattern_edge;

enum { MO_UNSET = 0, MO_ON = 1, MO_OFF = 2, MO_UNSET_SIGNED_ = -1 }; /* tri-state options */

/* Every callback is [session]. */
typedef struct mo_transformation_def {
  size_t size;
  mo_str id;            /* what users type: lower case, dots and underscores; unique */
  mo_str doc;           /* one line */
  mo_str before, after; /* the effect in the text form; documentation */
  /* Ids of transformations or of groups, or anchors: "front.start", "front.finish", … One that nobody has
   * registered is an error, unless it ends in '?', as "front.fuse?": that orders where it is registered. */
  const mo_str* run_before;
  uint64_t n_run_before;
  const mo_str* run_after;
  uint64_t n_run_after;
  const mo_str* frameworks; /* none = all */
  uint64_t n_frameworks;
  /* MO_TRANSFORM_OP: "Type" (of opset1, opset2, …, of none yet, or of a set in which the plugin itself defines
   * it), "opset1::Type" and "org.acme::Type" (of that set), "::Type" (a source operation no extractor took),
   * "*::Type" (of any set). */
  const mo_str* ops;
  uint64_t n_ops;
  const mo_pattern_node* nodes;
  uint64_t n_nodes;
  const mo_pattern_edge* edges;
  uint64_t n_edges;
  mo_str group;      /* MATCHERs of one group share one traversal (GraphRewrite); "" = its own */
  int32_t phase;     /* MO_PHASE_ */
  int32_t kind;      /* MO_TRANSFORM_ */
  int32_t enabled;   /* MO_UNSET = on */
  int32_t recursive; /* into sub-graphs; MO_UNSET = on */
  int32_t force_clean_up;
  int32_t force_shape_inference;
  void* user;
  /* *ok = 0 skips the transformation for this conversion. NULL: always run. */
  mo_status(MO_CALL* condition)(void* user, mo_context*, mo_graph, int32_t* ok);
  /* MO_OK when done or nothing to do. */
  mo_status(MO_CALL* on_graph)(void* user, mo_context*, mo_graph);
  /* One of these per candidate: MO_OK = applied, MO_NOT_APPLICABLE = declined (mo_rewrite_api.decline says
   * why). */
  mo_status(MO_CALL* on_node)(void* user, mo_context*, mo_node);
  mo_status(MO_CALL* on_match)(void* user, mo_context*, mo_match*);
  void(MO_CALL* release)(void* user);
} mo_transformation_def;

/* [session], inside on_node, on_match, on_graph of a transformation. */
typedef struct mo_rewrite_api {
  size_t size;
  /* The node or port matched by an alias; for MATCHER the port is the one its consumer reads. */
  mo_status(MO_CALL* node)(mo_context*, const mo_match*, mo_str alias, mo_node*);
  mo_status(MO_CALL* port)(mo_context*, const mo_match*, mo_str alias, mo_port*);
  mo_status(MO_CALL* root)(mo_context*, const mo_match*, mo_node*);
  mo_status(MO_CALL* nodes)(mo_context*, const mo_match*, mo_node* items, uint64_t capacity, uint64_t* count);
  mo_status(MO_CALL* graph)(mo_context*, const mo_match*, mo_graph*);
  /* Configured matches: in-ports inside the match that belong to input i, and out-ports of output i. */
  mo_status(MO_CALL* input_ports)(mo_context*, const mo_match*, uint32_t i, mo_port* items, uint64_t capacity,
                                  uint64_t* count);
  mo_status(MO_CALL* output_port)(mo_context*, const mo_match*, uint32_t i, mo_port*);
  mo_status(MO_CALL* counts)(mo_context*, const mo_match*, uint32_t* inputs, uint32_t* outputs);
  mo_status(MO_CALL* scope)(mo_context*, const mo_match*, mo_str*);
  /* The entry's custom_attributes as JSON; "{}" without. Also inside on_graph of CONFIG_GENERAL (match NULL).
   */
  mo_status(MO_CALL* custom_attributes)(mo_context*, const mo_match*, mo_str* json);

  /* What replaces the candidate. For on_node: out-port i of the node gives its destinations, tensor names and
   * (i = 0) its name to ports[i]; the node is removed after the callback. With node 0 in ports[i] that output
   * is left alone. */
  mo_status(MO_CALL* replace_outputs)(mo_context*, mo_node old_node, const mo_port* ports, uint64_t count);
  /* Configured matches and PATTERN: in-port `in` takes what input i of the match read; output i is given by
   * `out`. Matched nodes are removed after the callback, but those kept. */
  mo_status(MO_CALL* map_input)(mo_context*, mo_match*, uint32_t i, mo_port in);
  mo_status(MO_CALL* map_output)(mo_context*, mo_match*, uint32_t i, mo_port out);
  mo_status(MO_CALL* keep)(mo_context*, mo_match*, mo_node);
  /* MATCHER: a node made here is itself looked at in this traversal. The root of the match, if it is still
   * there: the matchers of the group that have not been tried at it are, although this one has changed
   * something. */
  mo_status(MO_CALL* register_new_node)(mo_context*, mo_node);
  /* Why a candidate was declined; --explain shows it. Returns MO_NOT_APPLICABLE: on_node and on_match pass it
   * on; on_graph goes on to its next place, and predicate says no. `where` is what was looked at, 0 the node
   * at hand. */
  mo_status(MO_CALL* decline)(mo_context*, mo_node where, mo_str why);
  /* Runs a registered transformation of any phase, or all of a group in one traversal, on a graph, now; of
   * the group that the caller belongs to, what is not switched off. One that found nothing to do when it last
   * ran is not run again while the graph stays as it is. */
  mo_status(MO_CALL* run)(mo_context*, mo_graph, mo_str id);
} mo_rewrite_api;

/* ---- Front-ends ----------------------------------------------------------------------------------- */

typedef struct mo_probe_args {
  size_t size;
  mo_str path;      /* as the user gave it; of a model in memory the name of its first part */
  mo_str extension; /* lower case, with the dot; "" without */
  const void* head; /* the first bytes of the file; NULL for a folder */
  uint64_t head_bytes;
  uint64_t file_bytes;
} mo_probe_args;

/* Where a model is: a file, a folder, or bytes in memory that have names, as files of a folder have. Parts in
 * memory are opened as files are: mo_file_api.open gives the bytes of a part by its name, and open_below those
 * that lie beside another part. Nothing of them is copied, and no file is read in the place of a part. */
typedef struct mo_model_source {
  size_t size;
  mo_str path;         /* of a model in memory the name of its first part, which is the model itself */
  const mo_str* parts; /* names of all parts of a model in memory; none: path is that of a file or folder */
  uint64_t n_parts;
} mo_model_source;

/* Every callback is [session]. */
typedef struct mo_frontend_def {
  size_t size;
  mo_str name; /* what --framework takes */
  const mo_str* aliases;
  uint64_t n_aliases;
  const mo_str* extensions; /* ".onnx"; lower case with the dot */
  uint64_t n_extensions;
  void* user;
  /* *score: 0 = not mine … 100 = certainly. Must be cheap and must not fail on foreign files. [session] */
  mo_status(MO_CALL* probe)(void* user, mo_context*, const mo_probe_args*, int32_t* score);
  /* Fills the empty graph: Parameter, Const, Result and the framework's operations with their native tags; what
   * the model calls an operation has one, also where it has become a Parameter or Const. *model is handed to
   * the readers below and to unload. Options come through option(). A front-end that needs a folder fails,
   * with a text, where a model in memory does not have what it needs among its parts. */
  mo_status(MO_CALL* load)(void* user, mo_context*, const mo_model_source* source, mo_graph, void** model);
  /* Reads one attribute of the source description `tag`; gives it to mo_host.return_value.
   * MO_NOT_FOUND when absent. */
  mo_status(MO_CALL* native_attr)(void* user, mo_context*, void* model, uint64_t tag, mo_str name);
  /* Reads many: gives the value of each name in turn to return_value, one of kind MO_VALUE_NONE where it is
   * absent. NULL: native_attr is called for each. */
  mo_status(MO_CALL* native_attrs)(void* user, mo_context*, void* model, uint64_t tag, const mo_str* names,
                                   uint64_t count);
  /* Gives a MO_VALUE_STRINGS of all attribute names to return_value. */
  mo_status(MO_CALL* native_attr_names)(void* user, mo_context*, void* model, uint64_t tag);
  /* Key by which extractors are found: domain, version and type of the operation of a tag. Strings live as
   * long as the model. */
  mo_status(MO_CALL* native_key)(void* user, mo_context*, void* model, uint64_t tag, mo_str* domain,
                                 int32_t* version, mo_str* op);
  /* Where the source description stands, for errors: its file, and there the line, counted from 1, or for what
   * is no text the byte, with line 0. MO_NOT_FOUND: it is not known. The text lives as long as the model.
   * NULL: nothing is known of any. */
  mo_status(MO_CALL* native_place)(void* user, mo_context*, void* model, uint64_t tag, mo_str* file,
                                   uint64_t* line, uint64_t* byte);
  /* After extraction, cheap sources may be dropped; called once at the end of the conversion. */
  void(MO_CALL* unload)(void* user, void* model);
  void(MO_CALL* release)(void* user);
  /* NULL, or registers what only models of this front-end need: its extractors and transformations. Called at
   * most once per session, after mo_plugin.load: at once, or before the first model of this front-end is
   * loaded, or when something is asked for that is not there yet. As in mo_plugin.load what fails refuses the
   * plugin. What others may ask for before a model is known (options, operations, converters, interfaces)
   * belongs into mo_plugin.load. */
  mo_status(MO_CALL* contents)(void* user, mo_context*);
} mo_frontend_def;

/* ---- Options, interfaces, converters ----------------------------------------------------------------- */

enum {                       /* the kind of value that mo_host.option gives */
       MO_OPTION_FLAG = 1,   /* MO_VALUE_BOOL */
       MO_OPTION_STRING = 2, /* MO_VALUE_STRING */
       MO_OPTION_INT = 3,    /* MO_VALUE_INT */
       MO_OPTION_FLOAT = 4,  /* MO_VALUE_FLOAT */
       MO_OPTION_LIST = 5,   /* MO_VALUE_STRINGS: what commas separate */
       MO_OPTION_PATH = 6,   /* MO_VALUE_STRING */
       /* MO_VALUE_STRING: a path that names the model in the place of --input_model; one of the plugin's
        * front-ends reads it. */
       MO_OPTION_MODEL = 7,
       /* MO_VALUE_STRING: a path of one of the model's files. It may stand beside --input_model; where
        * nothing else names the model, it does, and one of the plugin's front-ends reads it. */
       MO_OPTION_MODEL_FILE = 8,
       MO_OPTION_SIGNED_ = -1
};

typedef struct mo_option_def {
  size_t size;
  mo_str name; /* "input_proto"; typed as --input_proto */
  mo_str help;
  mo_str group;    /* heading in the help; "" = the plugin's id */
  mo_str fallback; /* default as text; "" = unset */
  int32_t kind;    /* MO_OPTION_ */
  int32_t reserved;
  /* Legal values of a MO_OPTION_STRING; none: any text. The host refuses others, and hands the value out as it
   * is spelt here, in whatever case the user typed it. */
  const mo_str* allowed;
  uint64_t n_allowed;
} mo_option_def;

/* Turns bytes of a named foreign type into a value (given to return_value). Every callback is [session]. */
typedef struct mo_converter_def {
  size_t size;
  mo_str type_name;
  void* user;
  mo_status(MO_CALL* convert)(void* user, mo_context*, const void* bytes, uint64_t count);
  void(MO_CALL* release)(void* user);
} mo_converter_def;

/* [session], inside mo_plugin.load and mo_frontend_def.contents only. Everything is copied and validated at
 * once; an error says which field is wrong and what was expected, and the plugin is refused as a whole. */
typedef struct mo_registry_api {
  size_t size;
  mo_status(MO_CALL* operation)(mo_context*, const mo_operation_def*);
  mo_status(MO_CALL* extractor)(mo_context*, const mo_extractor_def*);
  mo_status(MO_CALL* transformation)(mo_context*, const mo_transformation_def*);
  mo_status(MO_CALL* frontend)(mo_context*, const mo_frontend_def*);
  mo_status(MO_CALL* option)(mo_context*, const mo_option_def*);
  mo_status(MO_CALL* converter)(mo_context*, const mo_converter_def*);
  /* A table of functions other plugins can find by name and revision; must live until exit. */
  mo_status(MO_CALL* add_interface)(mo_context*, mo_str name, uint32_t revision, const void* table);
  /* What is registered from here on stands in this file of the plugin's sources: `mo-host list --where`. */
  mo_status(MO_CALL* in_source)(mo_context*, mo_str file);
} mo_registry_api;

/* ---- The host -------------------------------------------------------------------------------------- */

enum { MO_LOG_DEBUG = 0, MO_LOG_INFO = 1, MO_LOG_WARNING = 2, MO_LOG_ERROR = 3, MO_LOG_SIGNED_ = -1 };

/* What a user is told. All but the text may be absent. */
typedef struct mo_message {
  size_t size;
  mo_str text; /* what is wrong, in one sentence */
  mo_str hint; /* what to try */
  /* A name for scripts to look for: upper-case letters, digits and '_', at most 32, beginning with a letter.
   * The plugin's own: those of the host are "MO" and four digits. */
  mo_str code;
  /* The option that the plugin registered and whose value is wrong: a mistake of the command line, which has
   * an exit code of its own. The host puts "--option: " before the text. */
  mo_str option;
  mo_str file;     /* where in the user's files it is */
  uint64_t line;   /* from 1 on; 0: not known */
  uint64_t column; /* from 1 on; 0: not known */
  uint64_t offset; /* in bytes, where there are no lines */
  mo_node node;    /* 0: the current one */
} mo_message;

/* A release of the runtime that an IR can be written for. */
typedef struct mo_runtime {
  size_t size;        /* set by the caller */
  mo_str name;        /* "2026.2"; lives as long as the process */
  int32_t year;       /* 2026 */
  int32_t number;     /* 2 */
  int32_t opset;      /* its newest operation set: of "opset16" 16 */
  int32_t ir_version; /* the newest version of the IR that it reads */
} mo_runtime;

struct mo_host {
  size_t size;
  uint32_t abi_major;
  uint32_t abi_minor; /* what this host offers */
  mo_str name;        /* "mo-host 0.1.0" */
  const mo_graph_api* graph;
  const mo_tensor_api* tensor;
  const mo_file_api* file;
  const mo_infer_api* infer;
  const mo_rewrite_api* rewrite;
  const mo_registry_api* registry;

  /* [session] Sets the text of a failure and returns `status`, so that a callback can `return host->fail(…)`;
   * MO_ERROR for MO_OK, which is no failure. The host adds plugin, transformation and node it knows of;
   * `where` may name another node (0 = the current one). Also inside mo_lazy_def.read, on its thread. */
  mo_status(MO_CALL* fail)(mo_context*, mo_status status, mo_node where, mo_str text);
  /* [session] The same with more to say. What of it is not as it should be is left out. */
  mo_status(MO_CALL* fail_with)(mo_context*, mo_status status, const mo_message*);
  /* [session] Text of the last failure in this context; borrowed until the next host call. Also inside
   * mo_lazy_def.read, on its thread. */
  mo_str(MO_CALL* last_error)(mo_context*);
  /* [session] A level that does not exist is the nearest one. */
  void(MO_CALL* log)(mo_context*, int32_t level, mo_str text);
  /* [session] MO_INVALID_ARGUMENT: the message, or the level, is not as it should be. `option` is not looked
   * at. */
  mo_status(MO_CALL* log_with)(mo_context*, int32_t level, const mo_message*);
  /* [session] Long work: done of total. MO_CANCELLED asks the caller to stop. */
  mo_status(MO_CALL* progress)(mo_context*, uint64_t done, uint64_t total);
  /* [session] An option of the command line. MO_NOT_FOUND when unset and without default. */
  mo_status(MO_CALL* option)(mo_context*, mo_str name, mo_value*);
  /* [session] An interface registered by a plugin or offered by the host beyond this table. */
  mo_status(MO_CALL* get_interface)(mo_context*, mo_str name, uint32_t revision, const void** table);
  /* [session] Sink of native_attr, native_attrs, native_attr_names and convert: the value is copied. See
   * mo/conventions.h. */
  mo_status(MO_CALL* return_value)(mo_context*, const mo_value*);
  /* [session] Runs the converter registered for type_name. */
  mo_status(MO_CALL* convert)(mo_context*, mo_str type_name, const void* bytes, uint64_t count, mo_value*);
  /* [session] For loops over much that is borrowed: release_lent lets go of everything that was handed out in
   * this callback after the mark was made, and of marks made after it; the mark can be used again.
   * MO_INVALID_ARGUMENT: there is no such mark. */
  uint64_t(MO_CALL* mark_lent)(mo_context*);
  mo_status(MO_CALL* release_lent)(mo_context*, uint64_t mark);
  /* [session] The release that the IR is written for: the oldest that has to read it. One that is later than
   * the host knows is the newest that it knows. */
  mo_status(MO_CALL* target_runtime)(mo_context*, mo_runtime*);
  /* [session] The first release with an operation set. MO_NOT_FOUND: no release that the host knows has it.
   */
  mo_status(MO_CALL* first_runtime)(mo_context*, int32_t opset, mo_runtime*);
};

/* 1 when the host's table at `table` has `member`. */
#define MO_HAS(table, member) \
  ((table)->size >= (size_t)((const char*)&(table)->member - (const char*)(table)) + sizeof((table)->member))

/* ---- The plugin -------------------------------------------------------------------------------------- */

typedef struct mo_plugin {
  size_t size;
  uint32_t abi_major;        /* MO_ABI_MAJOR */
  uint32_t abi_minor;        /* MO_TARGET_MINOR: what it was built for */
  uint32_t abi_lowest_minor; /* the oldest it can run on */
  uint32_t abi_candidate;    /* MO_ABI_CANDIDATE */
  mo_str id;                 /* reverse DNS, lower case: "com.acme.layers" */
  mo_str version;            /* "1.2.0" */
  mo_str vendor;
  mo_str license;     /* SPDX identifier, or "proprietary" */
  mo_str description; /* one line */
  mo_str support_url; /* shown with errors; may be "" */
  /* Registers everything. Called once per session. [session] */
  mo_status(MO_CALL* load)(mo_context*);
  /* Called once, in reverse order of loading, before the process ends; may be NULL. The library is never
   * unmapped. [any] */
  void(MO_CALL* shutdown)(void);
} mo_plugin;

/* Tells, in the file itself, what the descriptor says: mo-host can list and judge the plugin without running
 * it. Once per plugin, outside functions; ID and VERSION are literals. An ELF note of owner "mo-host" and
 * type 2: abi_major, abi_minor, abi_lowest_minor, abi_candidate as 32-bit numbers, then id and version, each
 * with its NUL.
 */
#if defined(__GNUC__) && defined(__ELF__)
#define MO_PLUGIN_NOTE(ID, VERSION)                                                \
  static const struct {                                                            \
    uint32_t owner_size, content_size, type;                                       \
    char owner[8];                                                                 \
    uint32_t abi[4];                                                               \
    char id[sizeof(ID)];                                                           \
    char version[sizeof(VERSION)];                                                 \
  } mo_plugin_note __attribute__((section(".note.mo_host"), used, aligned(4))) = { \
      8,                                                                           \
      16 + sizeof(ID) + sizeof(VERSION),                                           \
      2,                                                                           \
      "mo-host",                                                                   \
      {MO_ABI_MAJOR, MO_TARGET_MINOR, MO_LOWEST_MINOR, MO_ABI_CANDIDATE},          \
      ID,                                                                          \
      VERSION};
#else
#define MO_PLUGIN_NOTE(ID, VERSION)
#endif

/* The one exported symbol. Must be cheap, must not fail, returns the same static object each time. [any] */
MO_EXPORT const mo_plugin* MO_CALL mo_plugin_entry(void);

#ifdef __cplusplus
}
#endif

#endif
