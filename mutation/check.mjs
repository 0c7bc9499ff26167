// node mutation/check.mjs: checks the lists of the mutation tests after code was moved or renamed. It fails if a module
// ("room") in rooms.mjs lists a missing file, or if reasons.mjs gives a reason for code that has changed.

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
