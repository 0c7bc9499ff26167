// node mutation/list-survivors.mjs: prints each file's mutation score and all surviving mutants. Reads
// test-output/mutation-<room>.json and .jsonl for each module.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outdatedReasons, reasonFor } from './reasons.mjs'
import { rooms } from './rooms.mjs'

const root = join(import.meta.dirname, '..')
const output = join(root, 'test-output')
const wanted = process.argv.slice(2)

/**
 * A mutant's possible results, from strongest to weakest. If a mutant has several results, the strongest one
 * counts.
 */
const strongest = ['killed', 'timeout', 'survived', 'not-reached']

function statuses(path) {
  const found = new Map()
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { id, status } = JSON.parse(line)
    const known = found.get(id)
    if (!known || strongest.indexOf(status) < strongest.indexOf(known)) found.set(id, status)
  }
  return found
}

function print(name, mutants) {
  console.log(`\n## ${name}\n`)
  console.log('| file | mutants | killed | survived | not reached | score |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
  const files = [...new Set(mutants.map(({ file }) => file))]
  for (const file of files)
    console.log(
      row(
        shortOf(file),
        mutants.filter(mutant => mutant.file === file),
      ),
    )
  console.log(row(`**all files of the group \`${name}\`**`, mutants))
  console.log('')
  for (const file of files) {
    const left = mutants.filter(mutant => mutant.file === file && isLeft(mutant))
    const ofReason = Map.groupBy(left, mutant => reasonFor(shortOf(file), textsOf(mutant)))
    for (const [reason, changes] of ofReason)
      console.log(`- \`${shortOf(file)}\` — ${reason}:\n${listOf(changes)}`)
  }
}

/** Returns one line for each piece of code with surviving mutants. The line lists all of these mutants. */
function listOf(changes) {
  const ofPlace = Map.groupBy(changes, ({ line, original }) => `Line ${line}: \`${oneLine(original)}\``)
  return [...ofPlace]
    .map(([place, those]) => {
      const replacements = those.map(
        ({ replacement, status }) =>
          `\`${oneLine(replacement)}\`${status === 'not-reached' ? ' (not reached)' : ''}`,
      )
      return `  - ${place} is replaced with ${replacements.join(', ')}`
    })
    .join('\n')
}

/** Returns a mutant's line, code and replacement, as the rules in reasons.mjs quote them. */
const textsOf = ({ file, line, original, replacement }) => ({
  line: readFileSync(join(root, file), 'utf8').split('\n')[line - 1].trim(),
  original: oneLine(original),
  replacement: oneLine(replacement),
})

const isLeft = ({ status }) => ['survived', 'not-reached'].includes(status)

function row(title, mutants) {
  const count = (...which) => mutants.filter(({ status }) => which.includes(status)).length
  const killed = count('killed', 'timeout')
  const score = mutants.length === 0 ? '–' : `${((100 * killed) / mutants.length).toFixed(1)} %`
  const cells = [title, mutants.length, killed, count('survived'), count('not-reached'), score]
  return `| ${cells.join(' | ')} |`
}

const shortOf = file => file.replace('packages/server/src/', '')
const oneLine = text => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 90 ? `${line.slice(0, 87)}…` : line
}

for (const [file, code] of outdatedReasons())
  console.warn(`mutation/reasons.mjs explains code that ${file} no longer contains: ${code}`)

for (const name of Object.keys(rooms)) {
  const report = join(output, `mutation-${name}.json`)
  if (!existsSync(report) || (wanted.length > 0 && !wanted.includes(name))) continue
  const mutants = JSON.parse(readFileSync(report, 'utf8'))
  const status = statuses(`${report}l`)
  for (const mutant of mutants) mutant.status = status.get(mutant.id) ?? 'not-reached'
  print(name, mutants)
}
