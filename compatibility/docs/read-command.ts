// Reads single commands from documentation pages, such as the README, whose code is not run from top to bottom. Tests
// can then run these commands without containing copies of them.

/**
 * Returns the first command in the page's code blocks that starts with this text, without its trailing comment. A
 * backslash at the end of a line continues the command.
 */
export function readCommand(markdown: string, start: string): string {
  const blocks = [...markdown.matchAll(/^```sh[^\n]*\n(.*?)^```$/gms)].map(([, block]) => block as string)
  const lines = blocks.flatMap(block => block.match(/(?:.*\\\n)*.+/g) ?? [])
  const command = lines.find(line => line.startsWith(start))
  if (command === undefined)
    throw new Error(`no code block of the page has a command that starts with ${start}`)
  return command.replace(/\s+# .*/, '')
}

/** Returns the first code block in this language, such as `ts`. */
export function readBlock(markdown: string, language: string): string {
  const [, block] = markdown.match(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms')) ?? []
  if (block === undefined) throw new Error(`the page has no ${language} block`)
  return block
}
