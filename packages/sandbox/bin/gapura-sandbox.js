#!/usr/bin/env node
// The command of the published package. It loads the program only in a version of Node that can run it, because an older
// version would print a syntax error.

import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = engines.node.replace('>=', '')
const [major, minor] = process.versions.node.split('.').map(Number)
const [neededMajor, neededMinor] = needed.split('.').map(Number)

// Versions before Node 26 print a warning that SQLite is experimental when it is imported. This code hides
// the warning.
const { emitWarning } = process
process.emitWarning = (warning, ...details) => {
  if (!String(warning).startsWith('SQLite ')) emitWarning(warning, ...details)
}

if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) {
  import('../dist/main.js')
} else {
  process.stderr.write(
    `gapura-sandbox: needs Node ${needed} or newer, but this is Node ${process.versions.node}\n`,
  )
  process.exitCode = 1
}
