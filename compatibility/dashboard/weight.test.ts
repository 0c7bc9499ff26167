// Tests how much the browser must load for the dashboard: the initial scripts, and the rows of a long list.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
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
import { openDashboard, settled } from './dashboard.ts'

const dist = join(import.meta.dirname, '../../packages/dashboard/dist')
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

type Manifest = Record<string, { file: string; imports?: string[] }>

/** Returns the files of the given modules and of all modules they statically import. */
function scriptsOf(manifest: Manifest, ...names: string[]): Set<string> {
  const files = new Set<string>()
  const visit = (name: string) => {
    const { file, imports = [] } = manifest[name] ?? expect.fail(`${name} is not in the manifest`)
    if (files.has(file)) return
    files.add(file)
    for (const each of imports) visit(each)
  }
  for (const name of names) visit(name)
  return files
}

test.each([
  ['the login page', ['src/session/log-in-page.tsx'], 200_000],
  ['the overview', ['src/shell/shell.tsx', 'src/overview/overview-page.tsx'], 220_000],
  // The payment list may load more JavaScript than the other pages, because it has virtual scrolling, filters
  // and sorting.
  ['the list of payments', ['src/shell/shell.tsx', 'src/payments/payments-page.tsx'], 277_000],
])('%s loads little JavaScript at startup, measured after gzip compression', async (_, pages, atMost) => {
  const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const files = [...scriptsOf(manifest, 'index.html', ...pages)]
  const sizes = await Promise.all(files.map(async file => gzipSync(await readFile(join(dist, file))).length))
  const sum = sizes.reduce((a, b) => a + b, 0)
  console.log(`${pages.at(-1)}: ${sum} bytes in ${files.length} files`)
  expect(sum).toBeGreaterThan(100_000)
  expect(sum).toBeLessThanOrEqual(atMost)
})

test('the overview page shows its first content after it is opened, and its loading times are printed', async () => {
  const { demo } = service
  const dashboard = await openDashboard(demo.client, {}, demo.base_url)
  await dashboard.go('/')
  const figures = await dashboard.page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const paint = performance.getEntriesByName('first-contentful-paint')[0]
    const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
    return {
      domInteractiveMs: navigation?.domInteractive,
      firstContentfulPaintMs: paint?.startTime,
      lastScriptMs: Math.max(...scripts.map(script => script.startTime + script.duration)),
    }
  })
  console.log('the overview:', figures)
  expect(figures.firstContentfulPaintMs).toBeGreaterThan(0)
})

test('while a user scrolls through a list of 100,000 payments, the page contains fewer than 80 table rows', async () => {
  const { demo } = service
  const { data: payment } = await merchantOf(demo).create()
  await copyPayment(place.dataDir, payment.id, COUNT)
  const dashboard = await openDashboard(demo.client, {}, demo.base_url)
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
  let last = 0
  while (last <= 3_000) {
    await page.mouse.wheel(0, 2_000)
    await page.waitForTimeout(20)
    most = Math.max(most, await rows.count())
    last = Number(await rows.last().getAttribute('aria-rowindex'))
  }
  await settled(dashboard)
  const times = (await frames.jsonValue()).toSorted((a, b) => a - b)
  const at = (part: number) => Math.round(times[Math.floor(times.length * part)] ?? 0)
  console.log(
    `scrolled to row ${last}; ${times.length} frames, ms: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}`,
  )
  expect(most).toBeLessThan(80)
  expect(await rows.last().getByRole('cell').first().textContent()).toMatch(/^GP\d{6}-/)
  await page.keyboard.press('Home')
  await expect.poll(() => rows.first().getAttribute('aria-rowindex')).toBe('2')
  expect(complaints).toEqual([])
})
