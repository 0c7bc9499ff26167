// Tests the fee pages in a real browser. Starts a separate service, because a new fee would also apply to other
// tests' payments.

import { readFile } from 'node:fs/promises'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { http, logIn } from '../../packages/server/test/support/merchant.ts'
import {
  newPlace,
  type Place,
  removePlace,
  type Service,
  startService,
} from '../../packages/server/test/support/service.ts'
import { barriers, overflow } from '../site/browser.ts'
import { type Dashboard, openDashboard, picture, settled } from './dashboard.ts'
import { setFee } from './fees.page.ts'
import { paidPayment } from './paid-payment.ts'

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

type Role = 'client' | 'partner' | 'owner'
const open = (role: Role): Promise<Dashboard> => openDashboard(service.demo[role], {}, service.demo.base_url)
const feesLink = ({ page }: Dashboard) =>
  page.getByRole('navigation').getByRole('link', { name: 'Fees', exact: true })

/** Clicks a button that saves a file, and returns the saved file. */
async function fileOf({ page }: Dashboard, button: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ])
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}

const ofClient = () => `/tenants/${service.demo.client.tenant_id}?tab=fees`

test('without a fee schedule, the dashboard shows no fees, but the Owner and the Partner can set them', async () => {
  for (const role of ['client', 'partner', 'owner'] as const) {
    const dashboard = await open(role)
    await dashboard.go('/')
    expect(await feesLink(dashboard).count(), role).toBe(0)
    if (role === 'client') continue
    await dashboard.go(ofClient())
    await dashboard.page.getByRole('button', { name: 'Set fees' }).waitFor()
  }
})

test('a fee that the Owner sets appears in the merchant’s ledger and on its monthly statement', async () => {
  const { demo } = service
  const owner = await open('owner')
  await owner.go(ofClient())
  await owner.page.getByRole('button', { name: 'Set fees' }).click()
  await setFee(owner.page, { percent: '0.7', fixed: '4000' })
  await owner.page.getByRole('cell', { name: /^0\.7% \+ Rp\s4,000, PPN 11%$/ }).waitFor()
  // For a payment of Rp 150,000, a fee of 0.7 % plus Rp 4,000 is Rp 5,050. With 11 % tax, the fee is Rp 5,605.50.
  await owner.page.getByText(/^Rp\s5,605\.50$/).waitFor()
  await feesLink(owner).waitFor()

  await paidPayment(demo, { amount: 15_000_000 })
  const merchant = await open('client')
  const { page, complaints } = merchant
  await merchant.go('/ledger')
  await page.getByText(/^Virtual account BCA: 0\.7% \+ Rp\s4,000, PPN 11%$/).waitFor()
  await page.getByText(/^−Rp\s5,605\.50$/).waitFor()
  await feesLink(merchant).click()
  await page.getByText(/^Rp\s5,605\.50$/).waitFor()
  await page.getByRole('tab', { name: 'Monthly statement' }).click()
  const total = page.getByRole('row', { name: /^Total/ })
  await total.waitFor()
  expect(await total.textContent()).toMatch(/^Total1Rp\s5,050Rp\s555\.50Rp\s5,605\.50$/)
  expect(complaints).toEqual([])
})

test('the fee statement and the fee report can be downloaded as Excel and CSV files', async () => {
  for (const [role, path, file, titles] of [
    [
      'client',
      '/fees?tab=statement',
      /^gapura-fee-statement-\d{4}-\d\d-test-[a-z-]+\.(csv|xlsx)$/,
      'method_type,channel,count,net_rupiah,tax_rupiah,total_rupiah',
    ],
    [
      'owner',
      '/fees?tab=report&by=channel',
      /^gapura-fees-by-channel-until-\d{4}-\d\d-\d\d-test\.(csv|xlsx)$/,
      'channel,count,net_rupiah,tax_rupiah,fee_rupiah,operator_fee_rupiah,partner_margin_rupiah',
    ],
  ] as const) {
    const dashboard = await open(role)
    await dashboard.go(path)
    const csv = await fileOf(dashboard, 'CSV')
    expect(csv.name).toMatch(file)
    const [head, row] = csv.content.toString('utf8').split('\r\n')
    expect(head).toBe(`\ufeff${titles}`)
    expect(row).toContain(',5050.00,555.50,5605.50')
    const workbook = await fileOf(dashboard, 'Export to Excel')
    expect(workbook.name).toMatch(file)
    const sheet = strFromU8(unzipSync(workbook.content)['xl/worksheets/sheet1.xml'] as Uint8Array)
    expect(sheet).toContain('<v>5605.50</v>')
  }
})

test("a printed fee statement contains neither the dashboard's navigation nor its buttons", async () => {
  const dashboard = await open('client')
  const { page } = dashboard
  await dashboard.go('/fees?tab=statement')
  const print = page.getByRole('button', { name: 'Print' })
  await print.waitFor()
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('heading', { name: /^Fee statement for / }).waitFor()
  expect(await print.isVisible()).toBe(false)
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
  expect(await page.getByRole('tab').first().isVisible()).toBe(false)
  await picture(dashboard, 'client, printed fee statement')
})

test("a Partner's printed fee statement shows the Partner's margins and the credits for these margins, in both languages", async () => {
  const dashboard = await open('partner')
  const { page, complaints } = dashboard
  await dashboard.go('/fees?tab=statement')
  await page.getByRole('heading', { name: /^Fee statement for / }).waitFor()
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('heading', { name: 'Margins from clients’ fees' }).waitFor()
  await page.getByText('Not yet credited when the month began', { exact: true }).waitFor()
  await picture(dashboard, 'partner, printed fee statement')
  await page.emulateMedia({ media: 'screen' })
  const indonesian = await openDashboard(service.demo.partner, { locale: 'id-ID' }, service.demo.base_url)
  await indonesian.go('/fees?tab=statement')
  await indonesian.page.getByRole('heading', { name: 'Margin dari biaya klien' }).waitFor()
  await indonesian.page.getByText('Belum dikreditkan pada awal bulan', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('a new fee version replaces the version in force, and the earlier version remains readable', async () => {
  const dashboard = await open('owner')
  const { page } = dashboard
  await dashboard.go(ofClient())
  await page.getByRole('button', { name: 'Change fees' }).click()
  await setFee(page, { percent: '0', fixed: '2500' })
  await page.getByRole('cell', { name: /^Rp\s2,500, PPN 11%$/ }).waitFor()
  await page.getByRole('button', { name: /^Version 1/ }).click()
  await page.getByRole('cell', { name: /^0\.7% \+ Rp\s4,000, PPN 11%$/ }).waitFor()
})

test('if a Partner sets a fee below its cost, the form shows an example of the cost', async () => {
  const dashboard = await open('partner')
  const { page } = dashboard
  await dashboard.go(ofClient())
  await page.getByRole('button', { name: 'Set fees' }).click()
  const fee = page.getByRole('group', { name: 'Fee 1' })
  await fee.getByRole('textbox', { name: 'Fixed part' }).fill('1000')
  await page.getByRole('button', { name: 'Save new version' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'is below your cost of' })
  await alert.waitFor()
  expect(await alert.textContent()).toMatch(/below your cost of Rp\s2,775/)
})

test('every fee page fits a phone and has no accessibility violations, in light and dark mode', async () => {
  const { demo } = service
  await http('PUT', `${demo.base_url}/v1/tenants/${demo.partner.tenant_id}/fee-schedule`, {
    auth: await logIn(demo, demo.owner),
    body: { rules: [{ fixed: 100_000 }] },
  })
  const pages = {
    client: ['/fees', '/fees?tab=statement'],
    partner: ['/fees', '/fees?tab=own', '/fees?tab=report', '/fees?tab=statement'],
    owner: [
      '/fees',
      '/fees?tab=report&by=tenant',
      `/fees?tab=statement&tenant_id=${demo.client.tenant_id}`,
      ofClient(),
    ],
  } as const
  for (const [role, paths] of Object.entries(pages)) {
    const dashboard = await open(role as Role)
    const { page, complaints } = dashboard
    for (const path of paths) {
      await page.setViewportSize({ width: 1280, height: 860 })
      await dashboard.go(path)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await settled(dashboard)
        expect(await barriers(page), `${role} ${path} ${colorScheme}`).toEqual([])
      }
      await page.setViewportSize({ width: 360, height: 780 })
      await settled(dashboard)
      await picture(dashboard, `${role}, ${path.replaceAll(/\W+/g, ' ')}, phone`)
      expect(await overflow(page), `${role} ${path}`).toBe(0)
      expect(await barriers(page), `${role} ${path} phone`).toEqual([])
    }
    expect(complaints, role).toEqual([])
  }
})
