// Parses a page into steps, in page order. A code fence that cannot be run is an error, because untested examples
// become wrong over time.

type At = { line: number }

export type Step =
  | (At & { kind: 'command'; terminal: string | undefined; code: string })
  | (At & { kind: 'output'; terminal: string | undefined; code: string; json: boolean })
  | (At & { kind: 'file'; title: string; code: string })
  | (At & { kind: 'patch'; code: string })

type Fence = At & { section: string; language: string; attributes: Map<string, string>; code: string }

export class PageError extends Error {
  override name = 'PageError'

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`)
  }
}

export type Part = {
  /** The second-level heading of the only section to parse. By default, the whole page is parsed. */
  section?: string | undefined
  /** The name of a tab whose code blocks are skipped. The blocks in all other tabs are parsed. */
  skipTab?: string | undefined
  /** If true, the page's SQL is skipped, because a separate test runs it (pages.ts). */
  skipSql?: boolean | undefined
}

export function parsePage(markdown: string, { section, skipTab, skipSql }: Part = {}): Step[] {
  const fences = fencesOf(markdown).filter(
    fence =>
      (section === undefined || fence.section === section) &&
      (skipTab === undefined || fence.attributes.get('tab') !== skipTab) &&
      !(skipSql && fence.language === 'sql'),
  )
  if (section !== undefined && fences.length === 0)
    throw new PageError(0, `the page has no code in a section ${section}`)
  const steps = fences.flatMap(stepOf)
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'file') demandUse(step, steps.slice(index + 1))
    if (step.kind === 'output') demandCommand(step, steps.slice(0, index))
  }
  return steps
}

function fencesOf(markdown: string): Fence[] {
  const fences: Fence[] = []
  const lines = markdown.split('\n')
  let section = ''
  for (let index = 0; index < lines.length; index++) {
    section = lines[index]?.match(/^## (.*)$/)?.[1] ?? section
    const [, indent = '', mark, info = ''] = lines[index]?.match(/^(\s*(?:> ?)*)(`{3,}|~{3,})(.*)$/) ?? []
    if (!mark) continue
    const line = index + 1
    const code: string[] = []
    for (index++; lines[index]?.trim() !== mark; index++) {
      const text = lines[index]
      if (text === undefined) throw new PageError(line, 'the code fence is never closed')
      // In a list, the code fence and the code are indented as far as the item's text. This indentation is
      // not part of the code.
      code.push(text.startsWith(indent) ? text.slice(indent.length) : text)
    }
    const [language = '', ...words] = info.trim().match(/(?:[^\s"]|"[^"]*")+/g) ?? []
    fences.push({ line, section, language, attributes: attributesOf(words), code: `${code.join('\n')}\n` })
  }
  return fences
}

const attributesOf = (words: string[]) =>
  new Map(
    words.map(word => {
      const [name = '', ...value] = word.split('=')
      return [name, value.join('=').replaceAll('"', '')]
    }),
  )

function stepOf({ line, language, attributes, code }: Fence): Step[] {
  const only = (...known: string[]) => {
    for (const name of attributes.keys())
      if (![...known, 'tab'].includes(name))
        throw new PageError(
          line,
          `a code block with the language ${language} cannot have the attribute ${name}`,
        )
  }
  const title = attributes.get('title')
  const terminal = attributes.get('terminal')
  if (title) {
    only('title')
    return [{ kind: 'file', line, title, code }]
  }
  if (language === 'text' && attributes.has('diagram')) {
    only('diagram')
    return []
  }
  // The output of a terminal with a name cannot be a JSON block: such a terminal keeps printing, so the test
  // could not find the end of the JSON.
  only(...(language === 'json' ? [] : ['terminal']))
  if (language === 'sh') return [{ kind: 'command', line, terminal, code }]
  if (language === 'text' || language === 'json')
    return [{ kind: 'output', line, terminal, code, json: language === 'json' }]
  if (language === 'diff') return [{ kind: 'patch', line, code }]
  throw new PageError(line, `the runner cannot run a ${language || 'nameless'} code block without a title`)
}

/**
 * Throws if the page does not use the file, that is, if no later command or import contains the file's name.
 * Files in a clone or a Maven project may be unused, because tools find these files by themselves.
 */
function demandUse(file: Step & { kind: 'file' }, later: Step[]): void {
  const isFound = /^(packages|gapura)\/|\/src\/main\/java\//.test(file.title)
  const name = isFound ? '' : (file.title.split('/').at(-1) as string).replace(/\.\w+$/, '')
  const used = later.some(step => step.kind === 'command' && step.code.includes(name))
  // Python imports a module by the file name without the `.py` extension.
  const imported = later.some(
    step =>
      step.kind === 'file' && (step.code.includes(`/${name}`) || step.code.includes(`from ${name} import`)),
  )
  if (!used && !imported) throw new PageError(file.line, `no later block uses ${file.title}`)
}

function demandCommand(output: Step & { kind: 'output' }, earlier: Step[]): void {
  const before = output.terminal
    ? earlier.find(step => step.kind === 'command' && step.terminal === output.terminal)
    : earlier.at(-1)
  if (before?.kind !== 'command' || before.terminal !== output.terminal)
    throw new PageError(output.line, 'no command before this output block could have printed the output')
}
