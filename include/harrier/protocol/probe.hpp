#pragma once

// How the checker drives a generated module: through its own try_send, try_recv and try_close, with the module's state
// saved and loaded in between. Plain C types, so that a module compiled apart can be loaded.

#include <harrier/protocol/runtime.hpp>

extern "C" {

struct harrier_probe {
  std::uint32_t roles;
  std::uint32_t types;
  const char* const* role_names;
  const char* const* type_names;
  bool chooses_sender;  ///< whether a receive may name its sender
  void* (*create)(std::size_t capacity);
  void (*destroy)(void* module);
  /// Calls `sink(context, number)` for each number of the module's state.
  void (*save)(void* module, void (*sink)(void* context, std::uint32_t number), void* context);
  void (*load)(void* module, const std::uint32_t* word);
  /// Whether all may stop here: see `may_end` of the machines.
  bool (*may_end)(void* module);
  /// 0: refused; 1: done; 2: the module threw. `kind`: 0 send, 1 receive, 2 close, 3 handshake. Of a receive, `type`
  /// gets the type.
  int (*attempt)(void* module, std::uint32_t kind, std::uint32_t from, std::uint32_t to, std::uint32_t* type);
};

}  // extern "C"

namespace harrier::runtime {

template <class Module>
struct probing {
  using role = typename Module::role;
  using message = typename Module::message;

  static void* create(std::size_t capacity) { return new Module(capacity); }
  static void destroy(void* m) { delete static_cast<Module*>(m); }
  static void save(void* m, void (*sink)(void*, std::uint32_t), void* context) {
    static_cast<const Module*>(m)->save([&](std::uint32_t number) { sink(context, number); });
  }
  static void load(void* m, const std::uint32_t* word) { static_cast<Module*>(m)->load(word); }
  static bool may_end(void* m) { return static_cast<const Module*>(m)->may_end(); }

  static int attempt(void* m, std::uint32_t what, std::uint32_t from, std::uint32_t to, std::uint32_t* type) {
    auto& module = *static_cast<Module*>(m);
    try {
      if (what == 0 || what == 3) return put(module, what == 3, role(from), role(to), *type);
      if (what == 2) return module.try_close(role(from), role(to));
      message taken;
      const bool done =
          Module::chooses_sender ? module.try_recv(role(to), role(from), taken) : module.try_recv_any(role(to), taken);
      *type = taken.type();
      return done;
    } catch (const protocol_error&) {
      return 2;
    }
  }

  static bool put(Module& module, bool meet, role from, role to, std::uint32_t type) {
    return put_one_of(module, meet, from, to, type, static_cast<message*>(nullptr));
  }
  template <class... Types>
  static bool put_one_of(Module& module, bool meet, role from, role to, std::uint32_t type,
                         runtime::message<Types...>*) {
    std::uint32_t index = 0;
    bool done = false;
    static_cast<void>(((index++ == type ? (done = put_a<Types>(module, meet, from, to), true) : false) || ...));
    return done;
  }
  template <class Type>
  static bool put_a(Module& module, bool meet, role from, role to) {
    if (!meet) return module.try_send(from, to, Type{});
    if constexpr (requires(message m) { module.try_handshake(from, to, Type{}, m); }) {
      message taken;
      return module.try_handshake(from, to, Type{}, taken);
    }
    return false;
  }

  static const harrier_probe* table() {
    static const harrier_probe all{
        static_cast<std::uint32_t>(sizeof(Module::spec::roles) / sizeof(Module::spec::roles[0])),
        message::types,
        Module::spec::roles,
        Module::spec::types,
        Module::chooses_sender,
        create,
        destroy,
        save,
        load,
        may_end,
        attempt};
    return &all;
  }
};

}  // namespace harrier::runtime

/// Makes a shared object of a module that the checker can load.
#define HARRIER_PROBE(Module)                                                                        \
  extern "C" __attribute__((visibility("default"))) const harrier_probe* harrier_probe_of_module() { \
    return harrier::runtime::probing<Module>::table();                                               \
  }
