// Compares the output shown on a documentation page with the real output. On the page, `…` within a line matches
// any part of the line, and `…` alone matches any lines. In JSON, `…` matches any members or elements.

const anything = '…'

/**
 * Returns the length of the text at the start of `printed` that matches `expected`, or undefined if there is
 * no match.
 */
export function matchText(
  expected: string,
  printed: string,
  { whole }: { whole: boolean },
): number | undefined {
  const lines = expected.trimEnd().split('\n')
  const pattern = lines
    .map(line => (line.trim() === anything ? '(?:[^\\n]*\\n)*?' : `${linePattern(line.trimEnd())}[ \\t]*\\n`))
    .join('')
  // The comparison ignores blank lines before and after the printed output.
  const [match] = withEnd(plain(printed)).match(new RegExp(`^\\n*${pattern}${whole ? '\\n*$' : ''}`)) ?? []
  return match?.length
}

const linePattern = (line: string) => line.split(anything).map(quote).join('[^\\n]*')

/**
 * Removes color codes and the carriage returns in HTTP headers, because documentation pages show output
 * without them.
 */
const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: color codes start with a control character.
  text.replace(/\u001b\[[\d;]*m|\r(?=\n)/g, '')

const withEnd = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

export function matchJson(expected: string, printed: string): boolean {
  const pattern = tokensOf(expected)
    .map(token =>
      token
        .split(anything)
        .map(quote)
        .join(token.startsWith('"') ? '(?:[^"\\\\]|\\\\.)*' : '[^]*'),
    )
    .join('')
  return new RegExp(`^${pattern}$`).test(tokensOf(plain(printed)).join(''))
}

/** Splits JSON into tokens and drops white space outside strings. */
const tokensOf = (json: string) => json.match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g) ?? []

const quote = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
