// node mutation/check.mjs: run it after you move or rename code. It fails if a module in rooms.mjs lists a missing
// file, or if reasons.mjs explains code that has changed.

import { outdatedReasons } from './reasons.mjs'
import { missingFiles, rooms } from './rooms.mjs'

const problems = [
  ...Object.entries(rooms).flatMap(([name, room]) =>
    missingFiles(room).map(
      pattern => `mutation/rooms.mjs: no file matches the pattern ${pattern} of the module ${name}`,
    ),
  ),
  ...outdatedReasons().map(
    ([file, code]) => `mutation/reasons.mjs: the file ${file} no longer contains the code ${code}`,
  ),
]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
