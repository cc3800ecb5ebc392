// Validates each SARIF file against the published schema. Prints what is wrong, and fails if there is anything.
//
// usage: node sarif.mjs FILE...
import fs from 'node:fs';
import { createRequire } from 'node:module';
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';

const require = createRequire(import.meta.url);
const folder = require.resolve('@microsoft/jest-sarif/package.json').replace(/package\.json$/, '');
const schema = JSON.parse(fs.readFileSync(`${folder}lib/schemas/sarif-2.1.0-rtm.5.json`, 'utf8'));
// One of its patterns is none by the rules for Unicode.
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats(ajv);
const validate = ajv.compile(schema);
for (const file of process.argv.slice(2)) {
  if (validate(JSON.parse(fs.readFileSync(file, 'utf8')))) continue;
  console.log(file, JSON.stringify(validate.errors));
  process.exitCode = 1;
}
