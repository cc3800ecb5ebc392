#pragma once

/// CLI11's types, for headers that only pass them on: its own headers cost seconds of compiler in each file that reads
/// them.
namespace CLI {
class App;
class Option;
}  // namespace CLI
