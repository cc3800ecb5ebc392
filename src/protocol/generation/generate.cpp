// The text of a module: tables, with the lines of the definition beside them, for the machines in runtime_strict.hpp
// and runtime_liberal.hpp.
#include <harrier/protocol/generate.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <harrier/protocol/checked.hpp>
#include <harrier/protocol/liberal.hpp>
#include <harrier/protocol/runtime_errors.hpp>

#include "../projection/liberal_machine.hpp"
#include "names.hpp"
#include "sent_lines.hpp"

namespace harrier::protocol {
namespace {

std::string_view kind_in_cpp(action_kind kind) {
  switch (kind) {
    case action_kind::send: return "kind::send";
    case action_kind::receive: return "kind::receive";
    case action_kind::handshake: return "kind::handshake";
    case action_kind::close: return "kind::close";
  }
  return {};
}

std::string cpp_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

// A role's machine, or one of them, as the tables have it.
struct local_table {
  struct row {
    action what;
    std::uint32_t mark;
    std::uint32_t next;
    source_position at;
  };
  std::vector<std::vector<row>> states;
  std::vector<bool> may_end;  // by state
  role_id role = 0;
  std::uint32_t phase = 0;  // of the role
};

// A module has a queue for each two roles of which one sends to the other, those of one receiver side by side; or one
// for each role, for messages from all.
class queue_numbers {
public:
  queue_numbers(const alphabet& names, bool one_a_role) {
    std::set<std::pair<role_id, role_id>> pairs;
    if (one_a_role) {
      for (role_id r = 0; r < names.roles().size(); ++r) pairs.emplace(r, any);
    } else {
      for (const auto& a : names.actions()) {
        if (has_queue(a)) pairs.emplace(a.to, a.from);
      }
    }
    for (const auto& pair : pairs) numbers_.emplace(pair, numbers_.size());
    from_any_ = one_a_role;
  }

  // 0 of an action that needs none.
  std::size_t of(const action& a) const { return has_queue(a) ? numbers_.at({a.to, from_any_ ? any : a.from}) : 0; }
  std::string text() const {
    auto text =
        fmt::format("  static constexpr std::uint32_t queues = {};\n", std::max<std::size_t>(1, numbers_.size()));
    text += "  static constexpr std::uint32_t receivers[] = {";
    std::size_t i = 0;
    for (const auto& [pair, number] : numbers_)
      text += fmt::format("{}{},", i++ % 16 == 0 ? "\n      " : " ", pair.first);
    return text + (numbers_.empty() ? "0};\n" : "\n  };\n");
  }
  // How many messages each has room for, 0 of those without a bound; nothing if none has one.
  std::string text_of(const channel_rooms& rooms) const {
    if (rooms.empty()) return {};
    std::string text = "  static constexpr std::uint32_t rooms[] = {";
    for (const auto& [pair, number] : numbers_) {
      const auto room = rooms.find({pair.second, pair.first});
      text += fmt::format("{}{},", number % 16 == 0 ? "\n      " : " ", room == rooms.end() ? 0 : room->second);
    }
    return text + "\n  };\n";
  }

private:
  static constexpr role_id any = static_cast<role_id>(-1);
  static bool has_queue(const action& a) { return a.kind == action_kind::send || a.kind == action_kind::receive; }

  std::map<std::pair<role_id, role_id>, std::size_t> numbers_;
  bool from_any_ = false;
};

class writer {
public:
  writer(const explored_session& session, std::string_view name, const generate_options& options)
      : session_(&session),
        is_complete_(session.graph.complete()),
        names_(session.terms->names()),
        options_(options),
        name_(name),
        file_(session.terms->definitions().file),
        queues_(names_, options.mode == module_mode::liberal) {}
  writer(const session_parts& parts, std::string_view name, const generate_options& options)
      : parts_(&parts),
        is_complete_(parts.complete),
        names_(parts.names),
        options_(options),
        name_(name),
        file_(parts.parts[0].terms->definitions().file),
        queues_(names_, false) {}

  generated_module run() {
    cpp_ = internal::names_in_cpp(name_, names_, options_.types, file_, result_.diagnostics);
    for (const auto& a : names_.actions()) {
      if (a.kind == action_kind::handshake && options_.mode != module_mode::strict) {
        error({}, "-->", "a handshake is one step of two roles, and here each role has a machine of its own",
              "-->>, or mode strict");
        break;
      }
    }
    if (!is_complete_) error({}, {}, "the session has too many states to generate a module", {});
    if (names_.roles().empty()) error({}, {}, "nobody does anything in this session", {});
    if (has_errors(result_.diagnostics)) return std::move(result_);
    const auto tables = options_.mode == module_mode::strict    ? strict_tables()
                        : options_.mode == module_mode::liberal ? local_tables(liberal_tables())
                                                                : local_tables(checked_machines());
    if (has_errors(result_.diagnostics) || !result_.complete) return std::move(result_);
    result_.class_name = options_.in_namespace.empty() ? cpp_.module : options_.in_namespace + "::" + cpp_.module;
    result_.code = head() + module_text(tables) + foot();
    refuse_if_too_large();
    return std::move(result_);
  }

  role_machine machine(role_id role) {
    const auto tables = options_.mode == module_mode::liberal ? liberal_tables() : checked_machines(role);
    role_machine result{{}, {}, 0, std::move(result_.diagnostics), result_.complete};
    if (has_errors(result.diagnostics) || !result.complete) return result;
    for (const auto& name : names_.roles()) static_cast<void>(result.names.role(name));
    auto table = tables.begin();
    for (; table->role != role; ++table) result.first += table->states.size();
    if (made_one_) result.first = 0;
    std::vector<transition> out;
    for (const auto& rows : table->states) {
      out.clear();
      for (const auto& row : rows) out.push_back({result.names.number(marked(row, result.names)), row.next});
      result.graph.expand(out);
    }
    return result;
  }

private:
  action marked(const local_table::row& row, alphabet& names) const {
    auto a = row.what;
    if (a.type == no_type) return a;
    const bool has_mark = row.mark != 0 && row.mark != internal::liberal_machine::any_mark;
    a.type = names.type(names_.types()[a.type] + (has_mark ? fmt::format("#{}", row.mark) : ""));
    return a;
  }

  void error(source_position at, std::string construct, std::string message, std::string expected) {
    result_.diagnostics.push_back(
        {severity::error, file_, at, std::move(construct), std::move(message), std::move(expected)});
  }

  bool is_too_large(const std::string& text) const { return options_.largest != 0 && text.size() > options_.largest; }
  // The text may end where it became so.
  void refuse_if_too_large() {
    if (!is_too_large(result_.code)) return;
    constexpr double mebibyte = 1 << 20;
    const auto most = static_cast<double>(options_.largest) / mebibyte;
    auto why = fmt::format("the header would have more than {:.0f} MiB, which a compiler takes long for; {}", most,
                           largest_machine_);
    error({}, "generate", std::move(why), fmt::format("at most {:.0f} MiB", most));
    result_.code.clear();
  }

  std::string base_file() const { return std::filesystem::path(file_).filename().string(); }
  std::string line_of(const internal::lines& all) const {
    return all == internal::lines{0} ? "" : fmt::format("{}:{}: ", base_file(), fmt::join(all, " or "));
  }

  // --- text around the tables

  std::string head() const {
    const bool strict = options_.mode == module_mode::strict;
    std::string text =
        fmt::format("// Generated by harrier from {}, session {}, mode {}. Not to be edited.\n#pragma once\n\n",
                    base_file(), options_.title, to_string(options_.mode));
    text += fmt::format("#include <harrier/protocol/runtime_{}.hpp>\n", strict ? "strict" : "liberal");
    if (!options_.types.includes.empty()) text += "\n";
    for (const auto& include : options_.types.includes) text += "#include " + include + "\n";
    return options_.in_namespace.empty() ? text : text + fmt::format("\nnamespace {} {{\n", options_.in_namespace);
  }

  std::string foot() const {
    const auto machine = options_.mode == module_mode::strict    ? "strict_module"
                         : options_.mode == module_mode::liberal ? "liberal_module"
                                                                 : "checked_module";
    auto text = fmt::format("\n/// Session {}, enforced among threads, one for each role.\n", options_.title);
    text += fmt::format("class {0} : public {0}_tables, public harrier::runtime::{1}<{0}_tables> {{\n public:\n",
                        cpp_.module, machine);
    text += fmt::format("  using {0}_tables::message;\n  using {0}_tables::role;\n", cpp_.module);
    // The machine may have something of the same name.
    text += fmt::format("  using {0}_tables::roles;\n  using {0}_tables::types;\n", cpp_.module);
    for (const auto& type : cpp_.types) {
      text += fmt::format("  using {}_tables::{};\n", cpp_.module, type.name);
      if (!type.shortened.empty()) text += fmt::format("  using {}_tables::{};\n", cpp_.module, type.shortened);
    }
    text += fmt::format("  using harrier::runtime::{1}<{0}_tables>::{1};\n}};\n", cpp_.module, machine);
    return options_.in_namespace.empty() ? text : text + fmt::format("\n}}  // namespace {}\n", options_.in_namespace);
  }

  // What messages are, where none of their names is known.
  std::string values_text() const {
    std::string text;
    for (std::size_t i = 0; i < cpp_.types.size(); ++i) {
      if (!cpp_.types[i].value.empty()) text += fmt::format("  using of_{} = {};\n", i, cpp_.types[i].value);
    }
    return text.empty() ? text : fmt::format("\nstruct {}_values {{\n{}}};\n", cpp_.module, text);
  }

  std::string messages_text() const {
    std::string text;
    std::string called;
    for (std::size_t i = 0; i < cpp_.types.size(); ++i) {
      const auto& type = cpp_.types[i];
      if (!type.value.empty()) called += fmt::format("    struct {};\n", type.name);
      text += type.value.empty()
                  ? fmt::format("  struct {} {{}};\n", type.name)
                  : fmt::format("  using {0} = harrier::runtime::named<message_names::{0}, {1}_values::of_{2}>;\n",
                                type.name, cpp_.module, i);
      if (!type.shortened.empty()) text += fmt::format("  using {} = {};\n", type.shortened, type.name);
    }
    return called.empty() ? text : fmt::format("  struct message_names {{\n{}  }};\n{}", called, text);
  }

  std::string module_text(const std::string& tables) const {
    auto text = values_text();
    text += fmt::format("\nstruct {}_tables {{\n  enum class role : std::uint32_t {{\n", cpp_.module);
    for (const auto& role : cpp_.roles) text += fmt::format("    {},\n", role);
    text += "  };\n\n" + messages_text() + "  using message = harrier::runtime::message<";
    for (std::size_t i = 0; i < cpp_.types.size(); ++i) text += (i == 0 ? "" : ", ") + cpp_.types[i].name;
    text += cpp_.types.empty() ? "bool>;\n\n" : ">;\n\n";
    text += "  using kind = harrier::runtime::kind;\n";
    text += "  static constexpr const char* roles[] = {\n";
    for (const auto& role : names_.roles()) text += fmt::format("      {},\n", cpp_string(escaped(role)));
    text += "  };\n  static constexpr const char* types[] = {\n";
    for (const auto& type : names_.types()) text += fmt::format("      {},\n", cpp_string(type));
    if (names_.types().empty()) text += "      \"\",\n";
    text += "  };\n" + fmt::format("  static constexpr const char* definition = {};\n", cpp_string(base_file()));
    text += fmt::format("  static constexpr const char* title = {};\n", cpp_string(options_.title));
    return text + tables + "};\n";
  }

  std::string described(const action& a, const internal::lines& at) const {
    return "  // " + line_of(at) + names_.describe(a);
  }

  static std::string numbers(const std::string& name, const std::vector<std::size_t>& values) {
    auto text = fmt::format("  static constexpr std::uint32_t {}[] = {{", name);
    for (std::size_t i = 0; i < values.size(); ++i)
      text += fmt::format("{}{}", i % 16 == 0 ? "\n      " : " ", fmt::format("{},", values[i]));
    return text + "\n  };\n";
  }

  static std::string type_text(type_id type) {
    return type == no_type ? "harrier::runtime::anything" : fmt::to_string(type);
  }
  static std::string mark_text(std::uint32_t mark) {
    return mark == internal::liberal_machine::any_mark ? "harrier::runtime::anything" : fmt::to_string(mark);
  }

  // --- strict

  std::string strict_tables() {
    std::vector<std::vector<state_id>> members;
    const auto graph = determinise(session_->graph, members, 1'000'000);
    if (!graph.complete()) {
      error({}, {}, "keeping all branches takes too many states", {});
      return {};
    }
    std::string text = "\n  static constexpr harrier::runtime::global_action actions[] = {\n";
    for (std::size_t i = 0; i < names_.actions().size(); ++i) {
      const auto& a = names_.actions()[i];
      text += fmt::format("      {{{}, {}, {}, {}, {}}},  // {}: {}\n", kind_in_cpp(a.kind), a.from, a.to,
                          type_text(a.type), queues_.of(a), i, names_.describe(a));
    }
    if (names_.actions().empty()) text += "      {kind::close, 0, 0, 0, 0},\n";
    text += "  };\n\n  // By state, numbered as `harrier protocol graph` does";
    if (graph.states() != session_->graph.states()) text += " if nothing is ambiguous";
    text += ": the number of an action, and the state after it.\n";
    text += "  static constexpr harrier::runtime::global_step steps[] = {\n";
    std::vector<std::size_t> first{0};
    std::vector<std::size_t> lines;
    largest_machine_ = fmt::format(
        "its machine, which in mode strict is one for all roles, has {} states, one for each "
        "combination of what the roles may have done",
        graph.states());
    const internal::sent_lines sent(graph, names_,
                                    [&](state_id s, action_id action) { return place_of(members[s], action).line; });
    std::string may_end = "  static constexpr bool may_end_in[] = {";
    for (state_id s = 0; s < graph.states(); ++s) {
      may_end += fmt::format("{}{},", s % 16 == 0 ? "\n      " : " ", ends(members[s]));
      text += state_comment(members[s], s);
      for (const auto& t : graph.steps[s]) {
        const auto& a = names_.actions()[t.action];
        const auto at = lines_of(members[s], t.action, sent.first_in(s, a));
        text += fmt::format("      {{{}, {}}},{}\n", t.action, t.target, described(a, at));
        lines.push_back(number_of(at));
      }
      first.push_back(first.back() + graph.steps[s].size());
      if (is_too_large(text)) return text;
    }
    if (first.back() == 0) {
      text += "      {0, 0},\n";
      lines.push_back(0);
    }
    if (!several_lines_.empty()) may_end = numbers("several_lines", several_lines_) + may_end;
    return text + "  };\n" + numbers("lines", lines) + numbers("first", first) + may_end + "\n  };\n" + queues_.text();
  }

  // Of an action in one of these states. Of a receive: where the message that is first may have been sent, if that is
  // known.
  internal::lines lines_of(const std::vector<state_id>& members, action_id action, const internal::lines& sent) const {
    if (!sent.empty()) return sent;
    return {place_of(members, action).line};
  }

  // What the table `lines` has for them.
  std::size_t number_of(const internal::lines& all) {
    if (all.size() == 1) return *all.begin();
    const auto [known, is_new] = places_of_several_.try_emplace(all, runtime::several + several_lines_.size());
    if (is_new) {
      several_lines_.push_back(all.size());
      several_lines_.insert(several_lines_.end(), all.begin(), all.end());
    }
    return known->second;
  }

  bool ends(const std::vector<state_id>& members) const {
    return std::any_of(members.begin(), members.end(), [&](state_id m) { return session_->terminated[m]; });
  }

  std::string state_comment(const std::vector<state_id>& members, state_id s) const {
    auto text = fmt::format("      // state {}", s);
    if (members.size() > 1) text += fmt::format(", one of states {} of the definition", fmt::join(members, ", "));
    return text + (ends(members) ? ": the session may end here\n" : "\n");
  }

  source_position place_of(const std::vector<state_id>& members, action_id action) const {
    for (const auto m : members) {
      for (std::size_t i = 0; i < session_->graph.steps[m].size(); ++i) {
        if (session_->graph.steps[m][i].action == action) return session_->place(m, i);
      }
    }
    return {};
  }

  // --- liberal

  std::vector<local_table> liberal_tables() {
    constexpr std::size_t max_states = 100'000;  // of one role
    if (auto why = not_projected_liberally(*session_)) {
      result_.diagnostics.push_back(*std::move(why));
      return {};
    }
    const auto machines = internal::liberal_machines(project_liberally(session_->graph, names_), names_, max_states);
    if (!machines) {
      error({}, "liberal", fmt::format("keeping all branches takes more than {} states of one role", max_states),
            "mode strict or liberal-checked");
      return {};
    }
    std::vector<local_table> result;
    for (const auto& m : *machines) {
      auto& table = result.emplace_back();
      table.role = static_cast<role_id>(result.size() - 1);
      table.may_end.assign(m.states.size(), true);  // nobody looks
      for (const auto& moves : m.states) {
        auto& rows = table.states.emplace_back();
        for (const auto& move : moves) {
          rows.push_back({names_.actions()[move.action], move.mark, move.next, place_of({move.source}, move.action)});
        }
      }
    }
    return result;
  }

  // `whole`: a role of which one machine is wanted.
  std::vector<local_table> checked_machines(std::optional<role_id> whole = std::nullopt) {
    std::vector<local_table> result;
    auto projection =
        parts_ != nullptr ? project_checked(*parts_, options_.watch) : project_checked(*session_, options_.watch);
    result_.complete = projection.complete;
    for (const auto& p : projection.problems) {
      result_.diagnostics.push_back(to_diagnostic(p, projection, file_, severity::error));
    }
    for (const auto& p : projection.open_ends) {
      result_.diagnostics.push_back(to_diagnostic(p, projection, file_, severity::warning));
    }
    rooms_ = projection.rooms;
    made_one_ = whole && !projection.machines.empty() && make_one(projection, *whole);
    for (const auto& m : projection.machines) {
      auto& machine = result.emplace_back();
      machine.role = m.role;
      machine.phase = m.phase;
      machine.may_end = m.may_end;
      for (const auto& moves : m.states) {
        auto& rows = machine.states.emplace_back();
        for (const auto& move : moves) rows.push_back({move.what, move.mark, move.next, move.at});
      }
    }
    place_receives(result);
    return result;
  }

  // @return whether it was several before
  static bool make_one(checked_projection& projection, role_id role) {
    auto& all = projection.machines;
    const auto first = std::find_if(all.begin(), all.end(), [&](const auto& m) { return m.role == role; });
    const auto end = std::find_if(first, all.end(), [&](const auto& m) { return m.role != role; });
    if (end - first == 1) return false;
    *first = in_one({first, end}, projection.names);
    all.erase(first + 1, end);
    return true;
  }

  // A receive has the line of its send. Where the session has come to the same state by several sends, what remains of
  // it does not say which of them; the type and the mark of the message often do.
  static void place_receives(std::vector<local_table>& machines) {
    using message = std::tuple<role_id, role_id, type_id, std::uint32_t>;
    std::map<message, std::set<source_position>> sent;
    const auto each = [&](action_kind kind, auto&& look) {
      for (auto& machine : machines) {
        for (auto& rows : machine.states) {
          for (auto& row : rows) {
            if (row.what.kind == kind) look(row, message{row.what.from, row.what.to, row.what.type, row.mark});
          }
        }
      }
    };
    each(action_kind::send, [&](const auto& row, const message& m) { sent[m].insert(row.at); });
    each(action_kind::receive, [&](auto& row, const message& m) {
      const auto& places = sent[m];
      if (places.size() == 1) row.at = *places.begin();
    });
  }

  std::string local_tables(const std::vector<local_table>& machines) {
    const auto largest = std::max_element(machines.begin(), machines.end(), [](const auto& one, const auto& other) {
      return one.states.size() < other.states.size();
    });
    if (largest == machines.end()) return {};  // refused
    const auto of_its_role =
        std::count_if(machines.begin(), machines.end(), [&](const auto& other) { return other.role == largest->role; });
    largest_machine_ = fmt::format("{} of {} has {} states", of_its_role == 1 ? "the machine" : "one of the machines",
                                   escaped(names_.roles()[largest->role]), largest->states.size());
    std::string text =
        "\n  // By role and state: what, with whom, type, mark of the message, state after it, number of the queue.\n";
    text += "  static constexpr harrier::runtime::local_step steps[] = {\n";
    std::vector<std::size_t> first{0};
    std::vector<std::size_t> lines;
    std::vector<std::size_t> start;
    std::string may_end = "  static constexpr bool may_end_in[] = {";
    for (const auto& machine : machines) {
      start.push_back(first.size() - 1);
      text += "      // " + title_of(machine, machines) + "\n";
      for (std::size_t s = 0; s < machine.states.size(); ++s) {
        const auto& rows = machine.states[s];
        may_end += fmt::format("{}{:d},", (first.size() - 1) % 16 == 0 ? "\n      " : " ", machine.may_end[s]);
        text += fmt::format("      //   state {}{}\n", first.size() - 1, rows.empty() ? ": finished" : "");
        for (const auto& row : rows) {
          const auto peer = row.what.kind == action_kind::receive ? row.what.from : row.what.to;
          text += fmt::format("      {{{}, {}, {}, {}, {}, {}}},{}\n", kind_in_cpp(row.what.kind), peer,
                              type_text(row.what.type), mark_text(row.mark), start.back() + row.next,
                              queues_.of(row.what), described(row.what, {row.at.line}));
          lines.push_back(row.at.line);
        }
        first.push_back(first.back() + rows.size());
        if (is_too_large(text)) return text;
      }
    }
    if (first.back() == 0) {
      text += "      {kind::close, 0, 0, 0, 0, 0},\n";
      lines.push_back(0);
    }
    return text + "  };\n" + numbers("lines", lines) + numbers("first", first) + numbers("start", start) +
           beside_each_other(machines) + may_end + "\n  };\n" + queues_.text() + queues_.text_of(rooms_);
  }

  // "m", or "m, one of 12 machines that are beside each other"
  std::string title_of(const local_table& machine, const std::vector<local_table>& all) const {
    const auto together = std::count_if(all.begin(), all.end(), [&](const auto& other) {
      return other.role == machine.role && other.phase == machine.phase;
    });
    auto text = escaped(names_.roles()[machine.role]);
    if (machine.phase != 0) text += ", when it has finished with what is before";
    return together == 1 ? text : text + fmt::format(", one of {} that are beside each other", together);
  }

  // Which machines are whose; nothing if each role has one.
  std::string beside_each_other(const std::vector<local_table>& machines) const {
    if (machines.size() == names_.roles().size()) return {};
    std::vector<std::size_t> phases;  // by role, its first one; and one more
    std::vector<std::size_t> first;   // by phase, its first machine; and one more
    for (std::size_t m = 0; m < machines.size(); ++m) {
      const bool is_new_role = m == 0 || machines[m].role != machines[m - 1].role;
      if (is_new_role) phases.push_back(first.size());
      if (is_new_role || machines[m].phase != machines[m - 1].phase) first.push_back(m);
    }
    phases.push_back(first.size());
    first.push_back(machines.size());
    return "  // By phase of a role, the first of its machines, which are beside each other; by role, the first "
           "phase.\n" +
           numbers("machines", first) + numbers("phases", phases);
  }

  // Of these two one, the whole session in all modes but liberal-checked.
  const explored_session* session_ = nullptr;
  const session_parts* parts_ = nullptr;
  bool is_complete_;
  const alphabet& names_;
  const generate_options& options_;
  std::string name_;
  std::string file_;
  queue_numbers queues_;
  channel_rooms rooms_;
  internal::cpp_names cpp_;
  std::vector<std::size_t> several_lines_;
  std::map<internal::lines, std::size_t> places_of_several_;
  std::string largest_machine_;  // in words: why a header is large
  bool made_one_ = false;        // of several machines of a role one, which is in no header
  generated_module result_;
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

std::string_view to_string(module_mode mode) {
  return mode == module_mode::strict ? "strict" : mode == module_mode::liberal ? "liberal" : "liberal-checked";
}

std::optional<module_mode> parse_mode(std::string_view text) {
  for (const auto mode : {module_mode::strict, module_mode::liberal, module_mode::liberal_checked}) {
    if (text == to_string(mode)) return mode;
  }
  return std::nullopt;
}

type_mapping parse_mapping(std::string_view text, std::string_view file, std::vector<diagnostic>& diagnostics) {
  type_mapping result;
  std::istringstream in{std::string(text)};
  std::string raw;
  for (std::uint32_t number = 1; std::getline(in, raw); ++number) {
    const auto line = trimmed(raw);
    if (line.empty() || line.starts_with("//") || line.starts_with(';')) continue;
    if (line.starts_with("#include")) {
      result.includes.emplace_back(trimmed(line.substr(8)));
      continue;
    }
    const auto equals = line.find('=');
    const auto name = trimmed(line.substr(0, equals));
    const auto type = equals == std::string_view::npos ? std::string_view() : trimmed(line.substr(equals + 1));
    if (name.empty() || type.empty()) {
      diagnostics.push_back({severity::error,
                             std::string(file),
                             {number, 1},
                             std::string(line),
                             "is not a mapping of a type",
                             "Name = c++ type, or #include <header>"});
      continue;
    }
    result.types[std::string(name)] = type;
  }
  return result;
}

generated_module generate(const explored_session& session, std::string_view name, const generate_options& options) {
  return writer(session, name, options).run();
}

generated_module generate(const session_parts& session, std::string_view name, const generate_options& options) {
  return writer(session, name, options).run();
}

namespace {

role_id role_called(std::string_view role, const std::vector<std::string>& roles) {
  const auto found =
      std::find_if(roles.begin(), roles.end(), [&](const auto& r) { return r == role || escaped(r) == role; });
  if (found != roles.end()) return static_cast<role_id>(found - roles.begin());
  std::string all;
  for (const auto& r : roles) all += (all.empty() ? "" : ", ") + escaped(r);
  throw error(fmt::format("there is no role {} in this session, but {}", role, all));
}

}  // namespace

role_machine machine_of(const explored_session& session, std::string_view role, const generate_options& options) {
  if (options.mode == module_mode::strict) throw error("in mode strict one machine is for all roles");
  if (!session.graph.complete()) throw error("the session is too large to project");
  return writer(session, {}, options).machine(role_called(role, session.terms->names().roles()));
}

role_machine machine_of(const session_parts& session, std::string_view role, const generate_options& options) {
  if (!session.complete) throw error("the session is too large to project");
  return writer(session, {}, options).machine(role_called(role, session.names.roles()));
}

}  // namespace harrier::protocol
