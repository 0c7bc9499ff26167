// What the dashboard asks of a browser: how much script to begin with, and how much of a long list.

import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyPayment } from '../../packages/server/test/support/bulk-payments.ts'
import { merchantOf } from '../../packages/server/test/support/merchant.ts'
import {
  newPlace,
  type Place,
  removePlace,
  type Service,
  startService,
} from '../../packages/server/test/support/service.ts'
import { logIn, settled } from './dashboard.ts'

const COUNT = 100_000

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

test('the first page is there with at most 200 kB of script, gzipped', async () => {
  const { demo } = service
  const dashboard = await logIn(demo.client, {}, demo.base_url)
  const { page } = dashboard
  const scripts = new Map<string, Promise<Buffer>>()
  page.on('response', response => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), response.body())
  })
  await dashboard.go('/')
  await page.getByRole('listbox').waitFor()
  const sizes = await Promise.all([...scripts.values()].map(async body => gzipSync(await body).length))
  const sum = sizes.reduce((a, b) => a + b, 0)
  const marks = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const paint = performance.getEntriesByName('first-contentful-paint')[0]
    return { domInteractive: navigation?.domInteractive, firstContentfulPaint: paint?.startTime }
  })
  console.log('scripts of the overview, gzipped bytes:', sum, 'in', sizes.length, 'files;', marks)
  expect(scripts.size).toBeGreaterThan(3)
  expect(sum).toBeLessThanOrEqual(200_000)
  await dashboard.end()
})

test('of 100,000 payments the page holds those in sight, however far they are scrolled', async () => {
  const { demo } = service
  const { data: payment } = await merchantOf(demo).create()
  await copyPayment(place.dataDir, payment.id, COUNT)
  const dashboard = await logIn(demo.client, { reducedMotion: 'reduce' }, demo.base_url)
  const { page, complaints } = dashboard
  await dashboard.go('/payments')
  const frames = await page.evaluateHandle(() => {
    const frames: number[] = []
    let before = performance.now()
    const step = (now: number) => {
      frames.push(now - before)
      before = now
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
    return frames
  })
  await page.mouse.move(700, 600)
  const rows = page.locator('tbody tr:not([aria-hidden])')
  let most = 0
  for (let turn = 0; turn < 150; turn++) {
    await page.mouse.wheel(0, 2_000)
    await page.waitForTimeout(20)
    most = Math.max(most, await rows.count())
  }
  await settled(dashboard)
  const last = Number(await rows.last().getAttribute('aria-rowindex'))
  const times = (await frames.jsonValue()).toSorted((a, b) => a - b)
  const at = (part: number) => Math.round(times[Math.floor(times.length * part)] ?? 0)
  console.log(
    `scrolled to row ${last}; ${times.length} frames, ms: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}`,
  )
  expect(last).toBeGreaterThan(3_000)
  expect(most).toBeLessThan(80)
  expect(await rows.last().getByRole('cell').first().textContent()).toMatch(/^GP\d{6}-/)
  await page.keyboard.press('Home')
  await expect.poll(() => rows.first().getAttribute('aria-rowindex')).toBe('2')
  expect(complaints).toEqual([])
  await dashboard.end()
})
