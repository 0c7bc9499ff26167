import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import { build as vite } from 'vite'
import { beforeAll, expect, test } from 'vitest'
import { expectPaid, newProject, programs, write } from './project.ts'

let project: string

beforeAll(async () => {
  project = await newProject('module', {
    ...(await programs('esm')),
    'client.js': `export { Gapura } from '@gapura/sdk'`,
    'receiver.js': `import { webhooks } from '@gapura/sdk'
export const receive = (body, headers) => webhooks.verify(body, headers, 'whsec_c2VjcmV0')`,
    'receiver-alone.js': `export { verify } from '@gapura/sdk/webhooks'`,
  })
})

/** Bundles the program at this entry point. Returns the bundle, and the SDK modules that have code in the bundle. */
async function bundled(entry: string) {
  const { outputFiles, metafile } = await esbuild({
    entryPoints: [join(project, entry)],
    absWorkingDir: project,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
    write: false,
  })
  const inputs = Object.values(metafile.outputs)[0]?.inputs ?? {}
  const used = Object.keys(inputs).filter(path => (inputs[path]?.bytesInOutput ?? 0) > 0)
  const modules = used.map(path => path.split('@gapura/sdk/dist/esm/')[1]).filter(path => path !== undefined)
  return { code: outputFiles[0]?.text ?? '', modules }
}

async function bundledByVite(entry: string): Promise<string> {
  const built = await vite({
    root: project,
    configFile: false,
    logLevel: 'warn',
    build: { write: false, target: 'es2022', lib: { entry: join(project, entry), formats: ['es'] } },
  })
  const [bundle] = [built].flat()
  if (!bundle || !('output' in bundle)) throw new Error('Vite created no bundle')
  return bundle.output[0].code
}

/** Runs the bundle in a directory without the SDK package. */
async function expectBundlePays(code: string): Promise<void> {
  const elsewhere = await mkdtemp(join(tmpdir(), 'gapura-bundle-'))
  try {
    await write(elsewhere, { 'main.mjs': code })
    await expectPaid(process.execPath, ['main.mjs'], elsewhere)
  } finally {
    await rm(elsewhere, { recursive: true })
  }
}

test('a program that esbuild bundles with the SDK completes a payment without an installed SDK', async () => {
  await expectBundlePays((await bundled('main.js')).code)
})

test('a program that Vite and Rolldown bundle with the SDK completes a payment without an installed SDK', async () => {
  await expectBundlePays(await bundledByVite('main.js'))
})

test('if a program only verifies webhooks, its bundle contains no code from the SDK’s client', async () => {
  for (const entry of ['receiver.js', 'receiver-alone.js']) {
    const { code, modules } = await bundled(entry)
    expect(modules).toContain('webhooks.js')
    expect(modules.filter(path => !/^(index|webhooks|errors|[\w-]*webhook[\w-]*)\.js$/.test(path))).toEqual(
      [],
    )
    expect(code).not.toContain('/v1/')
    expect(await bundledByVite(entry)).not.toContain('/v1/')
  }
  expect((await bundled('client.js')).code).toContain('/v1/payments/create')
})

test('the client and webhook receiver bundles are no larger than the sizes in the README', async () => {
  const readme = await readFile(join(project, 'node_modules/@gapura/sdk/README.md'), 'utf8')
  const [, ...promised] =
    /client is at most\s+([\d,]+)\s+bytes and\s+`@gapura\/sdk\/webhooks` at most\s+([\d,]+)\s+bytes/.exec(
      readme,
    ) ?? []
  expect(promised, 'the sizes in the README').toHaveLength(2)
  const [client = 0, webhooks = 0] = promised.map(number => Number(number.replace(',', '')))
  const size = async (entry: string) => gzipSync((await bundled(entry)).code, { level: 9 }).length
  const sizes = { client: await size('client.js'), webhooks: await size('receiver-alone.js') }
  console.info('minified and gzipped, in bytes:', sizes)
  expect(sizes.client).toBeLessThanOrEqual(client)
  expect(sizes.webhooks).toBeLessThanOrEqual(webhooks)
})
