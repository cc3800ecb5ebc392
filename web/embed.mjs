// Writes a file as C++, as what a function gives: node embed.mjs PAGE.html PAGE.cpp FUNCTION
import { readFileSync, writeFileSync } from 'node:fs';

const [, , page, source, name] = process.argv;
const bytes = [...readFileSync(page)];
const lines = [];
for (let at = 0; at < bytes.length; at += 32) lines.push(bytes.slice(at, at + 32).join(','));
writeFileSync(source, `// Made by web/embed.mjs.
#include <web/template.hpp>

namespace harrier {

std::string_view ${name}() {
  static constexpr unsigned char bytes[] = {
${lines.join(',\n')}};
  return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

}  // namespace harrier
`);
