import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { beforeAll, expect, test } from 'vitest'
import { expectOutcome, expectPaid, newProject, place, programs, tools, write } from './project.ts'

/** Lists the Node versions to test. Their binaries come from npm packages, one per version and platform. */
const nodes = [20, 22, 24, 26].map(version => ({
  name: `Node ${version}`,
  binary: join(tools, `node-${version}-${process.platform}-${process.arch}`, 'bin/node'),
}))

let esm: string
let cjs: string

beforeAll(async () => {
  esm = await newProject('module', await programs('esm'))
  cjs = await newProject('commonjs', await programs('cjs'))
})

test.each(nodes)(
  'a program on $name that loads the packed SDK by import or by require completes a payment and verifies a webhook',
  async ({ binary }) => {
    expect(existsSync(binary), `${binary} is installed`).toBe(true)
    await expectPaid(binary, ['main.js'], esm)
    await expectPaid(binary, ['main.js'], cjs)
  },
)

test('a program on Bun completes a payment and verifies a webhook, whether it imports or requires the SDK', async () => {
  await expectPaid(join(tools, '.bin/bun'), ['main.js'], esm)
  await expectPaid(join(tools, '.bin/bun'), ['main.js'], cjs)
})

test('a Deno program needs only network and environment access to complete a payment and verify a webhook', async () => {
  const { baseUrl, sandboxUrl } = place()
  const hosts = [baseUrl, sandboxUrl].map(url => new URL(url).host).join(',')
  const allowed = [`--allow-net=${hosts}`, '--allow-env=PLACE']
  await expectPaid(join(tools, '.bin/deno'), ['run', '--no-prompt', ...allowed, 'main.js'], esm)
})

test("a program on Cloudflare's runtime workerd, without Node compatibility, completes a payment and verifies a webhook", async () => {
  await write(esm, {
    'worker.js': `import { payAndVerify } from './pay-and-verify.js'
export default { fetch: async request => Response.json(await payAndVerify(await request.json())) }`,
  })
  const bundle = await build({
    entryPoints: [join(esm, 'worker.js')],
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    write: false,
  })
  const worker = new Miniflare({
    modules: true,
    script: bundle.outputFiles[0]?.text ?? '',
    compatibilityDate: '2025-01-01',
  })
  try {
    const answer = await worker.dispatchFetch('http://worker/', {
      method: 'POST',
      body: JSON.stringify(place()),
    })
    const text = await answer.text()
    expect(answer.status, text).toBe(200)
    expectOutcome(JSON.parse(text))
  } finally {
    await worker.dispose()
  }
})
