import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { ok, service } from '../test/service.ts'

const directory = mkdtempSync(join(tmpdir(), 'gapura-branding-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const file = (name: string) => {
  const path = join(directory, name)
  writeFileSync(path, 'a picture')
  return path
}

const logo = { content_type: 'image/png', data: 'aVZC' }
const url = 'https://pay.example.com/branding/1/logo/2'
const current = {
  display_name: 'Toko Budi',
  color: '#0f766e',
  logo: { ...logo, width: 300, height: 120, url },
}

/**
 * Starts a fake service. It responds to a PUT request with the branding that the request contains, and to any
 * other request with the branding `current`.
 */
async function branding() {
  const { baseUrl, asked } = await service(({ method, body }) => ok(method === 'PUT' ? body : current))
  const run = (...args: string[]) =>
    newHome().gapura(['branding', ...args], {
      env: { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' },
    })
  const sent = () => asked.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  return { run, sent }
}

test("branding get shows the name, the color and the logo's URL, and with --json the whole branding", async () => {
  const { run } = await branding()
  const { stdout } = await run('get')
  expect(stdout).toContain('Toko Budi')
  expect(stdout).toContain('#0f766e')
  expect(stdout).toContain(`${url} (image/png, 300 × 120 pixels)`)
  expect(JSON.parse((await run('get', '--json')).stdout)).toEqual(current)
})

test.each<[flags: string[], changed: object]>([
  [['--display-name', 'Toko Sari'], { display_name: 'Toko Sari' }],
  [['--no-display-name'], { display_name: null }],
  [['--color', '#1d4ed8'], { color: '#1d4ed8' }],
  [['--color', 'none'], { color: null }],
  [['--no-logo'], { logo: null }],
])('branding set with the options %j changes only the fields of these options', async (flags, changed) => {
  const { run, sent } = await branding()
  expect((await run('set', ...flags)).exitCode).toBe(0)
  expect(sent()).toEqual([{ ...current, ...changed }])
})

test.each([
  ['logo.png', 'image/png'],
  ['logo.JPG', 'image/jpeg'],
  ['logo.webp', 'image/webp'],
])('branding set --logo sends the file %s in base64 with the type %s', async (name, content_type) => {
  const { run, sent } = await branding()
  expect((await run('set', '--logo', file(name), '--json')).exitCode).toBe(0)
  const data = Buffer.from('a picture').toString('base64')
  expect(sent()).toEqual([{ ...current, logo: { content_type, data } }])
})

test('without a flag or with an invalid logo file, branding set shows an error and sends nothing', async () => {
  const { run, sent } = await branding()
  const svg = await run('set', '--logo', file('logo.svg'))
  expect([svg.exitCode, svg.stderr]).toEqual([2, expect.stringContaining('must be a PNG, JPEG or WebP file')])
  const missing = await run('set', '--logo', join(directory, 'none.png'))
  expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining('cannot be read: ENOENT')])
  const nothing = await run('set')
  expect([nothing.exitCode, nothing.stderr]).toEqual([2, expect.stringContaining('pass --display-name')])
  expect(sent()).toEqual([])
})
