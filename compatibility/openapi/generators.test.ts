// Tests popular code generators with the API document. Their code must compile with common settings and complete a
// payment against a running service.

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const compatibility = join(import.meta.dirname, '..')
const document = join(compatibility, '../openapi/openapi.json')
const demo = inject('demo')

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gapura-generated-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const run = promisify(execFile)
/** Runs a tool from its installed package. If the tool fails, the error contains its output. */
async function tool(name: string, args: string[], cwd: string): Promise<void> {
  await run(join(compatibility, 'node_modules/.bin', name), args, { cwd }).catch(error => {
    throw new Error(`${name} failed:\n${error.stdout}${error.stderr}`)
  })
}

/** Creates a project with a merchant's program and the code generator packages. */
async function newProject(program: string, compilerOptions: object): Promise<string> {
  const project = join(root, program)
  await mkdir(project)
  await symlink(join(compatibility, 'node_modules'), join(project, 'node_modules'))
  await cp(join(import.meta.dirname, 'programs', `${program}.ts`), join(project, 'program.ts'))
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        skipLibCheck: false,
        target: 'es2022',
        // The dom.iterable option is needed because the generated clients iterate over Headers.
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: ['node'],
        ...compilerOptions,
      },
      files: ['program.ts'],
    }),
  )
  return project
}

/** Runs a merchant's program and checks the payment it prints. */
async function completesAPayment(project: string, file: string): Promise<void> {
  const { stdout } = await run(process.execPath, [join(project, file)], {
    env: {
      BASE_URL: demo.base_url,
      SANDBOX_URL: demo.sandbox_url,
      API_KEY: demo.client.test_key,
      EMAIL: demo.client.email,
      PASSWORD: demo.client.password,
    },
    timeout: 300_000,
  })
  expect(JSON.parse(stdout)).toEqual({
    va_number: expect.stringMatching(/^\d{6,}$/),
    same: true,
    status: 'paid',
    amount_paid: 10_000_000,
    entries: [['credit', 10_000_000]],
    missing: 'NOT_FOUND',
    account: demo.client.tenant_id,
  })
}

const nodenext = { module: 'nodenext', outDir: 'out' }
const bundler = { module: 'preserve', moduleResolution: 'bundler', noEmit: true }

test('openapi-typescript generates types with which openapi-fetch completes a payment', async () => {
  const project = await newProject('openapi-fetch', nodenext)
  await tool('openapi-typescript', [document, '--output', 'generated/api.ts'], project)
  await tool('tsc', [], project)
  await completesAPayment(project, 'out/program.js')
})

test('@hey-api/openapi-ts generates a client that completes a payment', async () => {
  const project = await newProject('hey-api', nodenext)
  await writeFile(
    join(project, 'openapi-ts.config.mjs'),
    `export default ${JSON.stringify({
      input: document,
      output: { path: 'generated', module: { extension: '.js' } },
      plugins: ['@hey-api/client-fetch'],
    })}`,
  )
  await tool('openapi-ts', [], project)
  await tool('tsc', [], project)
  await completesAPayment(project, 'out/program.js')
})

test('orval generates functions that complete a payment', async () => {
  const project = await newProject('orval', bundler)
  await writeFile(
    join(project, 'orval.config.mjs'),
    `export default ${JSON.stringify({
      gapura: {
        input: document,
        output: {
          target: 'generated/api.ts',
          client: 'fetch',
          baseUrl: demo.base_url,
          // Without this option, orval omits header parameters such as the idempotency key.
          headers: true,
        },
      },
    })}`,
  )
  await tool('orval', [], project)
  await tool('tsc', [], project)
  await build({
    entryPoints: [join(project, 'program.ts')],
    outfile: join(project, 'out/program.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    absWorkingDir: project,
  })
  await completesAPayment(project, 'out/program.js')
})
