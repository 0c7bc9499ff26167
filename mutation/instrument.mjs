// Creates all mutants (small changes) for a module's files with Stryker's instrumenter. A mutant takes effect only
// while its ID is selected.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInstrumenter } from '@stryker-mutator/instrumenter'
import { createInjector } from 'typed-inject'

const root = join(import.meta.dirname, '..')
const quiet = Object.fromEntries(
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map(level => [level, () => undefined]),
)
const log = { ...quiet, isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false }

/**
 * Instruments the files that match the globs in `mutate`, relative to the root. Returns the mutants, and the
 * instrumented code by absolute path.
 */
export async function instrument(mutate) {
  const files = mutate
    .flatMap(pattern => globSync(pattern, { cwd: root }))
    .sort()
    .map(path => ({ name: join(root, path), mutate: true, content: readFileSync(join(root, path), 'utf8') }))
  const injector = createInjector()
    .provideValue('logger', log)
    .provideValue('loggerFactory', () => log)
    .provideValue('options', {})
  const result = await injector.injectFunction(createInstrumenter).instrument(files, {
    plugins: null,
    // String literals are not mutated. Most strings are messages for people, and a test of a message would only
    // repeat it.
    excludedMutations: ['StringLiteral', 'Regex'],
    ignorers: [],
  })
  const sources = new Map(files.map(({ name, content }) => [name, content]))
  return {
    code: new Map(result.files.map(({ name, content }) => [name, content])),
    mutants: result.mutants
      .filter(({ status }) => status !== 'Ignored')
      .map(({ id, fileName, mutatorName, replacement, location }) => ({
        id,
        file: fileName.slice(root.length + 1),
        line: location.start.line + 1,
        column: location.start.column + 1,
        mutator: mutatorName,
        original: textAt(sources.get(fileName), location),
        replacement,
      })),
  }
}

/** Returns the source text between two positions. Their lines and columns are counted from 0. */
function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line, end.line + 1)
  lines[lines.length - 1] = lines.at(-1).slice(0, end.line === start.line ? end.column : undefined)
  lines[0] = lines[0].slice(start.column)
  if (end.line !== start.line) lines[lines.length - 1] = lines.at(-1).slice(0, end.column)
  return lines.join('\n')
}
