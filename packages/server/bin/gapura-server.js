#!/usr/bin/env node
// The command of the published package. It loads the program only if the installed version of Node can run the program,
// because an older version would print a syntax error.

import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = engines.node.replace('>=', '')
const [major, minor] = process.versions.node.split('.').map(Number)
const [neededMajor, neededMinor] = needed.split('.').map(Number)

// Hides the warning that SQLite is experimental, which Node before version 26 prints when SQLite is first
// imported.
const { emitWarning } = process
process.emitWarning = (warning, ...details) => {
  if (!String(warning).startsWith('SQLite ')) emitWarning(warning, ...details)
}

if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) {
  import('../lib/gapura-server.js')
} else {
  process.stderr.write(
    `gapura-server: needs Node ${needed} or newer, but this is Node ${process.versions.node}\n`,
  )
  process.exitCode = 1
}
