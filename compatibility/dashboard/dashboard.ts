// The dashboard as somebody has it before them: logged in by its own form, in a real browser.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { base, type Visit, visit } from '../site/browser.ts'

export type Login = { email: string; password: string }

export type Dashboard = Visit & {
  /** Resolves when the page is there, with what it shows. path: below /dashboard. */
  go(path: string): Promise<void>
}

export async function logIn(
  login: Login,
  options: BrowserContextOptions = {},
  origin: string = base,
): Promise<Dashboard> {
  const visited = await visit('/dashboard/login', options, origin)
  const { page } = visited
  await page.getByRole('textbox', { name: /E-mail|email/ }).fill(login.email)
  await page.locator('input[type=password]').fill(login.password)
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

/** There is a heading, and nothing is still awaited. */
export async function settled({ page }: Visit): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root'))
  // What slides or fades is where it will be.
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

/** For people to look at; nothing is compared with it. */
export async function picture({ page }: Visit, name: string): Promise<void> {
  await mkdir(pictures, { recursive: true })
  const before = page.viewportSize()
  // Of the whole page, with what is fixed to the window where it would be in one so high.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  if (before && height > before.height)
    await page.setViewportSize({ ...before, height: Math.min(height, 4_000) })
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))))
  await page.screenshot({ path: join(pictures, `${name}.png`) })
  if (before) await page.setViewportSize(before)
}
