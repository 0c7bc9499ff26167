// Opens the dashboard in a real browser and logs in through the dashboard's own form.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { base, type Visit, visit } from '../site/browser.ts'
import { fillLogin, type Login } from './login.page.ts'

export type Dashboard = Visit & {
  /** Opens a page. Resolves when the page and its content are shown. `path` is relative to /dashboard. */
  go(path: string): Promise<void>
}

export async function logIn(
  login: Login,
  options: BrowserContextOptions = {},
  origin: string = base,
): Promise<Dashboard> {
  const visited = await visit('/dashboard/login', options, origin)
  const { page } = visited
  await fillLogin(page, login)
  await page.getByRole('button', { name: /^(Log in|Masuk)$/ }).click()
  await page.waitForURL(url => url.pathname === '/dashboard' || url.pathname === '/dashboard/')
  await settled(visited)
  return {
    ...visited,
    async go(path) {
      await page.goto(`${origin}/dashboard${path}`)
      await settled(visited)
    },
  }
}

/** Logs in for the current test, at whose end the window is closed. */
export async function openDashboard(...args: Parameters<typeof logIn>): Promise<Dashboard> {
  const dashboard = await logIn(...args)
  onTestFinished(() => dashboard.end())
  return dashboard
}

/** Waits until a heading is shown and nothing is loading. */
export async function settled({ page }: Visit): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root'))
  // A change of the colour scheme reaches the page with the next frame and starts transitions of colours there.
  await page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  // Waits until finite animations have ended.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || !Number.isFinite(Number(effect?.getComputedTiming().endTime)),
      ),
  )
}

const pictures = join(import.meta.dirname, '../../test-output/dashboard')

/** With PICTURES=1, takes a screenshot for people to look at. Tests do not compare it. */
export async function picture({ page }: Visit, name: string): Promise<void> {
  if (!process.env.PICTURES) return
  await mkdir(pictures, { recursive: true })
  const before = page.viewportSize()
  // The screenshot shows the whole page, with fixed elements where they would be in a window of the page's height.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  if (before && height > before.height)
    await page.setViewportSize({ ...before, height: Math.min(height, 4_000) })
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))))
  await page.screenshot({ path: join(pictures, `${name}.png`) })
  if (before) await page.setViewportSize(before)
}
