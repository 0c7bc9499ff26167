// Tests the settings and payment methods pages in a real browser. Starts a separate service, because the tests set
// fees and remove channels from the merchant's account.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { http, logIn, merchantOf } from '../../packages/server/test/support/merchant.ts'
import { png } from '../../packages/server/test/support/pictures.ts'
import {
  newPlace,
  type Place,
  removePlace,
  type Service,
  startService,
} from '../../packages/server/test/support/service.ts'
import { barriers, overflow, visit } from '../site/browser.ts'
import { openDashboard, picture, settled } from './dashboard.ts'
import {
  channelRow,
  chooseLogo,
  notificationSwitch,
  sectionNamed,
  switchNotification,
} from './settings.page.ts'
import { openArea, waitForHeading } from './shell.page.ts'

let place: Place
let service: Service
beforeAll(async () => {
  place = await newPlace()
  service = await startService(place)
})
afterAll(async () => {
  await service.stop()
  await removePlace(place)
})

const asOwner = async (method: string, path: string, body?: object) => {
  const { demo } = service
  const auth = await logIn(demo, demo.owner)
  const { status, data } = await http(method, demo.base_url + path, { auth, ...(body && { body }) })
  expect(status).toBe(200)
  return data
}
const ofClient = (rest: string) => `/v1/tenants/${service.demo.client.tenant_id}${rest}`
const languages = [
  {
    ...{
      locale: 'en-GB',
      settings: 'Settings',
      methods: 'Payment methods',
      failing: 'Webhook receiver failing',
    },
    ...{
      partner: 'Partner',
      missing: 'Not active in live mode',
      bank: 'Virtual account',
      store: 'Over the counter',
    },
    ...{
      cost: 'What would a payment cost?',
      unavailable: 'Temporarily unavailable: BNI',
      tag: 'Unavailable',
    },
    ...{
      branding: 'Branding',
      brandName: 'Name',
      color: 'Color',
      logo: 'The chosen logo',
      removeLogo: 'Remove',
    },
    ...{
      tooLight: /White text is hard to read\. The contrast is 2\.02:1/,
      rejected: /Is too light for white text\. The contrast is 2\.02:1/,
      legible: /White text is easy to read: contrast 5\.47:1/,
      noPicture: 'Must be a PNG, JPEG or WebP picture',
    },
    ...{ saveBranding: 'Save branding', brandingSaved: /Branding saved/ },
  },
  {
    ...{
      locale: 'id-ID',
      settings: 'Pengaturan',
      methods: 'Metode pembayaran',
      failing: 'Penerima webhook gagal',
    },
    ...{
      partner: 'Mitra',
      missing: 'Belum aktif di mode live',
      bank: 'Virtual account',
      store: 'Gerai ritel',
    },
    ...{ cost: 'Berapa biaya sebuah pembayaran?', unavailable: 'Sementara tidak tersedia: BNI' },
    tag: 'Tidak tersedia',
    ...{
      branding: 'Tampilan merek',
      brandName: 'Nama',
      color: 'Warna',
      logo: 'Logo yang dipilih',
      removeLogo: 'Hapus',
    },
    ...{
      tooLight: /Teks putih sulit dibaca: kontras 2,02:1/,
      rejected: /Terlalu terang untuk teks putih: kontrasnya 2,02:1/,
      legible: /Teks putih mudah dibaca: kontras 5,47:1/,
      noPicture: 'Harus berupa gambar PNG, JPEG, atau WebP',
    },
    ...{ saveBranding: 'Simpan tampilan', brandingSaved: /Tampilan merek disimpan/ },
  },
]
const phone = { viewport: { width: 360, height: 780 }, colorScheme: 'dark' } as const

describe.each(languages)('the pages for settings and payment methods in the language $locale', t => {
  const open = () =>
    openDashboard(
      service.demo.client,
      { locale: t.locale, ...(t.locale === 'id-ID' && phone) },
      service.demo.base_url,
    )

  test('an email notification that the user turns off in the settings stays off after a reload', async () => {
    const dashboard = await open()
    const { page, complaints } = dashboard
    await dashboard.go('/settings')
    await waitForHeading(page, t.settings)
    const { tenant_id } = service.demo.client
    await page.getByText(tenant_id).waitFor()
    await page.getByText('Demonstration partner', { exact: true }).waitFor()
    await page.getByText(t.partner, { exact: true }).waitFor()
    expect(await barriers(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
    await picture(dashboard, `settings, ${t.locale}`)

    const failing = notificationSwitch(page, t.failing)
    expect(await failing.isChecked()).toBe(true)
    await switchNotification(page, t.failing)
    await expect.poll(() => failing.isChecked()).toBe(false)
    await page.reload()
    await settled(dashboard)
    expect(await notificationSwitch(page, t.failing).isChecked()).toBe(false)
    const auth = await logIn(service.demo, service.demo.client)
    const { data } = await http('GET', `${service.demo.base_url}/v1/account/notifications`, { auth })
    expect(data).toEqual({ receiver_failing: false, key_expiring: true })
    await switchNotification(page, t.failing)
    await expect.poll(() => notificationSwitch(page, t.failing).isChecked()).toBe(true)
    expect(complaints).toEqual([])
  })

  test("the name, color and logo that a merchant sets appear on the payer's return page", async () => {
    const dashboard = await open()
    const { page, complaints } = dashboard
    await dashboard.go('/settings')
    const branding = sectionNamed(page, t.branding)
    await branding.getByRole('button', { name: t.saveBranding }).waitFor()
    await branding.getByRole('textbox', { name: t.brandName }).fill('Toko <Budi>')
    const color = branding.getByRole('textbox', { name: t.color, exact: true })
    await color.fill('#F5A623')
    await branding.getByText(t.tooLight).waitFor()
    await branding.getByRole('button', { name: t.saveBranding }).click()
    await branding.getByText(t.rejected).waitFor()
    await color.fill('#0F766E')
    await branding.getByText(t.legible).waitFor()
    await chooseLogo(page, { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await branding.getByText(t.noPicture).waitFor()
    await chooseLogo(page, {
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: png({ width: 120, height: 40 }),
    })
    await branding.getByRole('img', { name: t.logo }).waitFor()
    expect(await barriers(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
    await picture(dashboard, `branding, ${t.locale}`)
    await branding.getByRole('button', { name: t.saveBranding }).click()
    await page.getByText(t.brandingSaved).first().waitFor()

    await page.reload()
    await settled(dashboard)
    expect(await color.inputValue()).toBe('#0f766e')
    const auth = await logIn(service.demo, service.demo.client)
    const { data } = await http('GET', `${service.demo.base_url}/v1/branding`, { auth })
    expect(data).toMatchObject({ display_name: 'Toko <Budi>', logo: { width: 120, height: 40 } })

    const { data: payment } = await merchantOf(service.demo).create({
      amount: 2_500_000,
      method_type: 'e_wallet',
      method_detail: { type: 'e_wallet', wallet_type: 'GOPAY' },
    })
    const shape = t.locale === 'id-ID' ? phone : {}
    const shop = await visit(
      `/return/${payment.payment_code}`,
      { locale: t.locale, ...shape },
      service.demo.base_url,
    )
    const banner = shop.page.getByRole('banner')
    expect(await banner.textContent()).toContain('Toko <Budi>')
    expect(await banner.evaluate(element => getComputedStyle(element).backgroundColor)).toBe(
      'rgb(15, 118, 110)',
    )
    expect(await banner.locator('img').evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(120)
    for (const colorScheme of ['light', 'dark'] as const) {
      await shop.page.emulateMedia({ colorScheme })
      expect([await barriers(shop.page), await overflow(shop.page)]).toEqual([[], 0])
    }
    expect(shop.complaints).toEqual([])
    await shop.end()

    await branding.getByRole('button', { name: t.removeLogo }).click()
    await branding.getByRole('button', { name: t.saveBranding }).click()
    await page.getByText(t.brandingSaved).first().waitFor()
    await branding.getByRole('img', { name: t.logo }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('the dashboard shows a merchant what an unavailable payment channel means and what to do', async () => {
    const dashboard = await open()
    const { page, complaints } = dashboard
    await page.route('**/trpc/**', async route => {
      const response = await route.fetch()
      const body = await response.text()
      const isBni = /("code":"bni"[^}]*"is_available":)true/
      await route.fulfill({ response, body: body.replace(isBni, '$1false') })
    })
    await dashboard.go('/payment-methods?mode=test')
    await page.getByRole('status').filter({ hasText: t.unavailable }).waitFor()
    await channelRow(page, t.bank, 'BNI')
      .getByText(t.tag, { exact: true })
      .filter({ visible: true })
      .waitFor()
    expect(await channelRow(page, t.bank, 'BCA').getByText(t.tag, { exact: true }).count()).toBe(0)
    expect(await barriers(page)).toEqual([])
    await picture(dashboard, `payment methods, unavailable, ${t.locale}`)
    expect(complaints).toEqual([])
  })

  test('for each mode, the payment methods page lists the active channels with their limits, and the inactive channels', async () => {
    const { items } = await asOwner('GET', ofClient('/entitlements'))
    const inTest = items.filter((item: { mode: string }) => item.mode === 'test')
    await asOwner('PUT', ofClient('/fee-schedule'), { rules: [{ fixed: 400_000 }] })
    await asOwner('PUT', ofClient('/entitlements'), { items: inTest })
    const dashboard = await open()
    const { page, complaints } = dashboard
    await dashboard.go('/payment-methods?mode=test')
    await waitForHeading(page, t.methods)
    await channelRow(page, t.bank, 'BCA').waitFor()
    await channelRow(page, 'QRIS', 'Rp')
      .getByText(/10[.,]000[.,]000/)
      .filter({ visible: true })
      .waitFor()
    await channelRow(page, t.store, 'Alfamart').waitFor()
    await page.getByRole('heading', { name: t.cost }).waitFor()
    expect(await barriers(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
    await picture(dashboard, `payment methods, test, ${t.locale}`)

    await dashboard.go('/payment-methods?mode=live')
    expect(await sectionNamed(page, t.missing).textContent()).toContain('BCA')
    expect(await page.getByRole('table').count()).toBe(0)
    expect(await barriers(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
    await picture(dashboard, `payment methods, live, ${t.locale}`)
    await asOwner('PUT', ofClient('/entitlements'), { items })
    expect(complaints).toEqual([])
  })
})

test('a merchant’s navigation shows settings and payment methods, and the Owner’s navigation shows only settings', async () => {
  const { demo } = service
  const merchant = await openDashboard(demo.client, {}, demo.base_url)
  await merchant.go('/')
  for (const name of ['Payment methods', 'Settings']) {
    await openArea(merchant.page, name)
    await waitForHeading(merchant.page, name)
  }
  const owner = await openDashboard(demo.owner, {}, demo.base_url)
  await owner.go('/settings')
  await notificationSwitch(owner.page, 'Unexpected money').waitFor({ state: 'attached' })
  expect(await notificationSwitch(owner.page, 'Webhook receiver failing').count()).toBe(0)
  await owner.go('/payment-methods')
  await waitForHeading(owner.page, 'Your role does not have access to this page')
})
