// node mutation/check.mjs: checks the lists of the mutation tests. The check fails if a room (a set of files)
// names a file that does not exist, or if the reason for a surviving mutant quotes code that has changed.
// Moving or renaming code causes both errors.

import { outdatedReasons } from './reasons.mjs'
import { missingFiles, rooms } from './rooms.mjs'

const problems = [
  ...Object.entries(rooms).flatMap(([name, room]) =>
    missingFiles(room).map(pattern => `rooms.mjs, ${name}: no file matches ${pattern}`),
  ),
  ...outdatedReasons().map(([file, code]) => `reasons.mjs: ${file} no longer contains ${code}`),
]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
