import { spawn } from 'node:child_process'
import { Argument, type Command } from 'commander'
import type { Cli } from './cli.ts'
import { note, printJson, printLines } from './output.ts'
import { sandboxUrlOf } from './sandbox.ts'
import { variableOf } from './session.ts'

const pages = ['dashboard', 'docs', 'sandbox'] as const
type Page = (typeof pages)[number]

export function addOpen(program: Command, cli: Cli): void {
  program
    .command('open')
    .description("open one of the service's pages in the browser")
    .addArgument(new Argument('<page>', 'the page').choices(pages))
    .addHelpText(
      'after',
      "\nPrints the page's URL and opens it in the browser named by the variable BROWSER, or in the default browser.",
    )
    .action(async (page: Page) => {
      const url = page === 'sandbox' ? `${sandboxUrlOf(cli)}/` : `${cli.baseUrl}/${page}`
      if (cli.json) {
        printJson(cli, { url })
        return
      }
      printLines(cli, [url])
      if (!(await isOpened(cli, url))) note(cli, 'No browser could be started; open the URL yourself.')
    })
}

/** Starts the browser and returns whether it started. The browser keeps running after this process ends. */
function isOpened({ env }: Cli, url: string): Promise<boolean> {
  const { [process.platform]: command = 'xdg-open' } = { darwin: 'open', win32: 'explorer' } as Record<
    string,
    string
  >
  const browser = spawn(variableOf(env, 'BROWSER') ?? command, [url], {
    env,
    detached: true,
    stdio: 'ignore',
  })
  return new Promise(resolve => {
    browser.once('error', () => resolve(false))
    browser.once('spawn', () => {
      browser.unref()
      resolve(true)
    })
  })
}
