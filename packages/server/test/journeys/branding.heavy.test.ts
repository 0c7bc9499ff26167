// Tests that a merchant can set its name, color, and logo over HTTP, and that the payer's return page shows them.

import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createUser } from '../../src/auth/users/create-user.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Call, callsAs, type Managers, managersOf } from '../support/management-api.ts'
import { logIn, merchantOf } from '../support/merchant.ts'
import { asLogo, pictures, png } from '../support/pictures.ts'

const { app, demo }: TestApp = await testApp({ worker: false })
const PATH = '/v1/branding'
const none = { display_name: null, color: null, logo: null }
const full = { display_name: 'Toko Budi', color: '#0f766e', logo: asLogo(png()) }

let as: Managers
let set: (fields: object) => ReturnType<Call>
beforeAll(async () => {
  as = await managersOf(demo)
  set = fields => as.client('PUT', PATH, { ...none, ...fields })
})
beforeEach(() => set({}))

const newPayment = async (): Promise<string> => {
  const wallet = { method_type: 'e_wallet', method_detail: { type: 'e_wallet', wallet_type: 'gopay' } }
  const { data } = await merchantOf(demo).create({ amount: 2_500_000, ...wallet })
  return data.payment_code as string
}
const returnPage = async (code: string, language = 'en') => {
  const url = `${demo.base_url}/return/${code}`
  const answer = await fetch(url, { headers: { 'accept-language': language } })
  const html = await answer.text()
  const [, logo] = /<img src="([^"]+)"/.exec(html) ?? []
  const [, style] = /href="(brands\/[^"]+)"/.exec(html) ?? []
  return {
    html,
    policy: answer.headers.get('content-security-policy'),
    name: /<bdi>(.*)<\/bdi>/.exec(html)?.[1],
    logo: logo && new URL(logo, url).href,
    style: style && new URL(style, url).href,
  }
}

describe('a merchant sets its branding with PUT /v1/branding', () => {
  test('a new merchant has no branding, and GET returns the latest branding after each change', async () => {
    expect((await as.client2('GET', PATH)).data).toEqual(none)
    const { status, data } = await set(full)
    const { url } = data.logo
    expect([status, data]).toEqual([
      200,
      { ...full, logo: { ...full.logo, width: 3, height: 2, url: expect.any(String) } },
    ])
    const sha256 = createHash('sha256').update(png()).digest('hex')
    expect(url).toBe(`${app.publicUrl}/branding/${demo.client.tenant_id}/logo/${sha256}`)
    expect((await as.client('GET', PATH)).data).toEqual(data)
    expect((await set({})).data).toEqual(none)
    expect((await as.client('GET', PATH)).data).toEqual(none)
  })

  test('a client can change one branding field by sending back the GET response with this change', async () => {
    await set(full)
    const { data: before } = await as.client('GET', PATH)
    const { data } = await as.client('PUT', PATH, { ...before, color: '#1D4ED8' })
    expect(data).toEqual({ ...before, color: '#1d4ed8' })
  })

  test.each([
    ['progressive JPEG', pictures.progressiveJpeg, 'image/jpeg'],
    ['WebP', pictures.transparentWebp, 'image/webp'],
  ])('a logo can be a %s picture', async (_, file, type) => {
    const { data } = await set({ logo: asLogo(file, type) })
    expect(data.logo).toMatchObject({ ...asLogo(file, type), width: 3, height: 2 })
  })

  test("a merchant can neither see nor change another merchant's branding", async () => {
    await set(full)
    expect((await as.client2('GET', PATH)).data).toEqual(none)
    await as.client2('PUT', PATH, { ...none, color: '#000000' })
    expect((await as.client('GET', PATH)).data).toMatchObject({ color: '#0f766e' })
  })

  test('every user of a merchant can read its branding, but only an admin can set it', async () => {
    await set(full)
    const user = { email: `${newId()}@example.com`, password: 'correct horse battery' }
    await createUser(app, null, demo.client.tenant_id, { ...user, permissions: ['developer', 'finance'] })
    const call = callsAs(demo, await logIn(demo, user))
    expect((await call('GET', PATH)).data).toMatchObject({ display_name: 'Toko Budi' })
    expect((await call('PUT', PATH, none)).error.code).toBe('FORBIDDEN')
    expect((await as.client('GET', PATH)).data).toMatchObject({ display_name: 'Toko Budi' })
  })

  test("the audit log records a branding change with the logo's size and hash, but without the image", async () => {
    await set(full)
    const { data } = await as.client('GET', '/v1/audit-log?limit=1')
    const [entry] = data.items
    expect(entry).toMatchObject({
      action: 'branding.set',
      tenant_id: demo.client.tenant_id,
      before: none,
      after: {
        display_name: 'Toko Budi',
        color: '#0f766e',
        logo: {
          ...{ content_type: 'image/png', size: png().length, width: 3, height: 2 },
          sha256: createHash('sha256').update(png()).digest('hex'),
        },
      },
    })
    expect(JSON.stringify(entry)).not.toContain(full.logo.data)
  })
})

const tooLight =
  'color: must have a contrast of at least 4.5:1 with white, but has 4.47:1; choose a darker color'
const noPicture = 'logo.data: must be a PNG, JPEG or WebP picture'
const damaged =
  'logo.data: must be one complete picture with no data after its end; save the picture as a new file in an image editor'

describe('branding with an invalid value, such as a color that is too light, is rejected', () => {
  test.each<[what: string, fields: object, message: string]>([
    ['a color that is too light', { color: '#777777' }, tooLight],
    ['a color by name', { color: 'teal' }, 'color: must be a color in the form #rrggbb, such as #0f766e'],
    ['a blank name', { display_name: '  ' }, 'display_name: must not be empty'],
    [
      'a name of 61 characters',
      { display_name: 'x'.repeat(61) },
      'display_name: must be at most 60 characters',
    ],
    ['a name that is left out', { display_name: undefined }, 'display_name: is required'],
    ['an SVG drawing', { logo: asLogo(Buffer.from('<svg/>')) }, noPicture],
    ['a GIF picture', { logo: asLogo(pictures.gif) }, noPicture],
    [
      'SVG as the declared type',
      { logo: asLogo(png(), 'image/svg+xml') },
      'logo.content_type: must be one of image/png, image/jpeg, image/webp',
    ],
    [
      'a declared type that is not that of the picture',
      { logo: asLogo(pictures.jpeg, 'image/png') },
      'logo.content_type: is image/png, but the file is a picture of the type image/jpeg',
    ],
    ['a truncated picture', { logo: asLogo(png().subarray(0, -1)) }, damaged],
    [
      'a picture that is also an HTML page',
      { logo: asLogo(Buffer.concat([png(), Buffer.from('<script>alert(1)</script>')])) },
      damaged,
    ],
    [
      'an animated picture',
      { logo: asLogo(pictures.animatedPng) },
      'logo.data: must not be an animated picture',
    ],
    [
      'a small file with large dimensions',
      { logo: asLogo(png({ width: 20_000, height: 20_000, rows: Buffer.alloc(1_000) })) },
      'logo.data: must be at most 1024 × 1024 pixels, but is 20000 × 20000; make the picture smaller',
    ],
    [
      'a file of more than 100 kB',
      { logo: asLogo(Buffer.concat([png(), Buffer.alloc(100_000)])) },
      'logo.data: must be a file of at most 100 kB',
    ],
    [
      'a file of one byte more than 100 kB',
      { logo: asLogo(Buffer.alloc(100_001)) },
      'logo.data: must be a file of at most 100 kB',
    ],
    [
      'text that is not base64',
      { logo: { content_type: 'image/png', data: '!' } },
      'logo.data: must be base64',
    ],
  ])(
    'if branding contains %s, it is rejected with an error that names the field, and the previous branding is unchanged',
    async (_, fields, message) => {
      await set({ display_name: 'Toko Budi' })
      const { status, error } = await set(fields)
      expect([status, error.message]).toEqual([400, `bad request: ${message}`])
      expect((await as.client('GET', PATH)).data).toEqual({ ...none, display_name: 'Toko Budi' })
    },
  )
})

describe("the payer's return page shows the merchant's branding", () => {
  test("the payer's return page shows the merchant's name, logo, and color in both languages, without inline styles", async () => {
    await set(full)
    const code = await newPayment()
    for (const language of ['en', 'id']) {
      const { html, policy, name, logo, style } = await returnPage(code, language)
      expect(name).toBe('Toko Budi')
      expect(html).toContain('alt="" width="3" height="2"')
      expect(html).not.toMatch(/<style| style=|https?:/)
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';/)
      expect(logo).toBe((await as.client('GET', PATH)).data.logo.url.replace(app.publicUrl, demo.base_url))
      const css = await fetch(style as string)
      expect(await css.text()).toContain('--brand: #0f766e;')
      expect(Object.fromEntries(css.headers)).toMatchObject({
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      })
    }
  })

  test('the payer’s return page shows the account name only if branding is set', async () => {
    const code = await newPayment()
    expect((await returnPage(code)).html).not.toMatch(/class="brand"|<img/)
    await set({ color: '#0f766e' })
    const { rows } = await app.db.raw('select name from tenants where id = ?', [demo.client.tenant_id])
    const { name, logo } = await returnPage(code)
    expect([name, logo]).toEqual([rows[0].name, undefined])
  })

  test('the payer’s return page shows the merchant’s name as text even if it looks like HTML', async () => {
    await set({ display_name: `<script>alert("1")</script> & 'Budi'` })
    const { name } = await returnPage(await newPayment())
    expect(name).toBe('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Budi&#39;')
  })

  test.each(['777777', 'ffffff', '0F766E', '0f766', '0f766e;', '%22'])(
    'the service returns no stylesheet for %s, which is not a valid branding color',
    async color => {
      expect((await fetch(`${demo.base_url}/return/brands/${color}.css`)).status).toBe(404)
    },
  )
})

describe("a logo's public URL serves only the current logo", () => {
  const logoOf = async (url: string) => {
    const answer = await fetch(url.replace(app.publicUrl, demo.base_url))
    return { status: answer.status, answer, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  test.each([
    ['image/png', png()],
    ['image/jpeg', pictures.jpeg],
    ['image/webp', pictures.lossyWebp],
  ])(
    'a logo of the type %s is returned unchanged, may be cached forever, and cannot run as a web page in a browser',
    async (type, file) => {
      const { data } = await set({ logo: asLogo(file, type) })
      const { status, answer, bytes } = await logoOf(data.logo.url)
      expect([status, bytes.equals(file)]).toEqual([200, true])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
      })
    },
  )

  test('a changed logo gets a new URL, and the old URL stops working', async () => {
    const first = (await set(full)).data.logo.url
    const code = await newPayment()
    const second = (await set({ ...full, logo: asLogo(png({ color: [0, 0, 0] })) })).data.logo.url
    expect(second).not.toBe(first)
    expect((await returnPage(code)).logo).toBe(second.replace(app.publicUrl, demo.base_url))
    expect([(await logoOf(first)).status, (await logoOf(second)).status]).toEqual([404, 200])
  })

  test("a logo's URL returns 404 if the logo was removed, or if the merchant or format is wrong", async () => {
    const { url } = (await set(full)).data.logo
    await set({})
    const of = (tenantId: string, hash: string) => `${app.publicUrl}/branding/${tenantId}/logo/${hash}`
    const hash = url.split('/').at(-1)
    await as.client2('PUT', PATH, full)
    const paths = [url, of(demo.client.tenant_id, hash), of('x', hash), of(demo.client2.tenant_id, 'x')]
    for (const path of paths) expect([path, (await logoOf(path)).status]).toEqual([path, 404])
    expect((await logoOf(of(demo.client2.tenant_id, hash))).status).toBe(200)
    await as.client2('PUT', PATH, none)
  })
})
