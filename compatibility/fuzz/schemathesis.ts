// Installs Schemathesis in a separate virtual environment and runs it against a service.

import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const here = import.meta.dirname
const requirements = join(here, 'requirements.txt')
const openapi = join(here, '../../openapi/openapi.json')

export const phases = ['examples', 'coverage', 'fuzzing', 'stateful'] as const
export type Phase = (typeof phases)[number]

/**
 * The results of one phase of a fuzz test: the test cases by HTTP status, and the failures by check. hooks.py
 * writes this object.
 */
export type Counts = { cases: number; statuses: Record<string, number>; failures: Record<string, number> }
export type Tally = {
  phases: Partial<Record<Phase, Counts>>
  /**
   * Counts the requests that match the JSON schema but violate a rule that JSON Schema cannot express, separately for
   * each such rule.
   */
  beyond: Record<string, number>
}

/** Installs Schemathesis and returns the path to its executable. Reuses an installation with the same requirements. */
export async function installSchemathesis(): Promise<string> {
  const version = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12)
  const place = join(here, '../node_modules/.cache', `schemathesis-${version}`)
  const done = join(place, 'done')
  const isThere = await access(done).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    await rm(place, { recursive: true, force: true })
    const run = promisify(execFile)
    await run('python3', ['-m', 'venv', place])
    await run(join(place, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--requirement', requirements])
    await writeFile(done, '')
  }
  return join(place, 'bin/schemathesis')
}

export type Run = {
  url: string
  authorization: string | undefined
  phases: readonly Phase[]
  /** The number of random test cases per operation in each Schemathesis phase that generates random cases. */
  examples: number
  seed: number
}

/** Runs Schemathesis. Its output contains each failure with a curl command that repeats the request. */
export async function runSchemathesis(command: string, run: Run): Promise<{ tally: Tally; output: string }> {
  const place = await mkdtemp(join(tmpdir(), 'gapura-fuzz-'))
  try {
    const output = await printedBy(command, place, run)
    return { tally: JSON.parse(await readFile(join(place, 'tally.json'), 'utf8')), output }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** Returns an access token's session, from the claim `sid`. */
function sessionOf(authorization: string): string {
  const [, payload = ''] = authorization.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).sid
}

async function printedBy(command: string, place: string, run: Run): Promise<string> {
  const child = spawn(
    command,
    [
      ...['--config-file', join(here, 'schemathesis.toml'), 'run', openapi, '--url', run.url],
      ...['--phases', run.phases.join(), '--max-examples', String(run.examples), '--seed', String(run.seed)],
      ...(run.authorization === undefined ? [] : ['--header', `Authorization: ${run.authorization}`]),
    ],
    {
      cwd: place,
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: 'hooks',
        PYTHONPATH: here,
        // With this setting, Python writes no bytecode to the repository.
        PYTHONDONTWRITEBYTECODE: '1',
        NO_COLOR: '1',
        TALLY_FILE: join(place, 'tally.json'),
        ...(run.authorization?.startsWith('Bearer ') && { SESSION_ID: sessionOf(run.authorization) }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  const [code] = await once(child, 'close')
  // Exit code 1 means that checks failed; the summary contains the failures.
  if (code !== 0 && code !== 1) throw new Error(`Schemathesis ended with ${code}:\n${output}`)
  return output
}
