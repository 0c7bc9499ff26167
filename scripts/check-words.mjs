// node scripts/check-words.mjs: finds words and sentences that readers had trouble with. Checks documentation,
// comments, messages, test titles and the texts of the API document. Prints where each word or sentence is and what to
// write instead. The words are those that readers who did not know the project misunderstood.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The patterns of words to avoid. Each pattern is listed with what to write instead. */
const words = [
  [/\b(un)?told\b|\btells\b/i, 'notifies, reports, returns, logs, shows or distinguishes'],
  [/(?<!["`])\bnobody\b|\bwhoever\b|\bsomebody\b/i, 'name the user, caller, tenant, process or operator'],
  [/\b(is|are|was|were|be) asked\b(?! to\b)/i, 'is polled or requested'],
  [/\bfor want of\b/i, 'because … is missing'],
  [/^so (it|they) (is|are|does|do)\b/i, 'the sentence in full'],
  [/\bgoes on\b|\bgo on\b|\bwent on\b/i, 'continues'],
  [/\bas (ill|well) as may be\b|\bas (much|many|long) as may be\b/i, 'the number, or "up to"'],
  [/\bis of (a|an|the|its|another|one)\b/i, 'belongs to, or is stored in'],
  [/\bstands? in for\b/i, 'replaces'],
  [/\b(gives?|gave|puts?) back\b/i, 'returns, releases or refunds'],
  [/\bwhat came\b|\bwhat is asked\b|\bwhat is kept\b/i, 'the name of the thing'],
  [
    /colour|behaviour|\b(recognis|optimis|serialis|authoris|normalis|summaris)(e[sd]?|ing|ations?)\b/i,
    'the American spelling, such as color, behavior or recognize',
  ],
  // The word "code" may be repeated, because `plain` replaces each code span with this word.
  [/\b((?!code\b)[a-z’']{2,}(?: (?!code\b)[a-z’']+){0,4}) \1\b/, 'the repeated words only once'],
  [/\bat hand\b|\bby and by\b|\bthereof\b|\bwhereupon\b|\blest\b/i, 'ordinary words'],
]
const LONGEST_SENTENCE = 28
/** The highest allowed average number of words per sentence in one documentation file. */
const MEAN_SENTENCE = 20

/**
 * Files that are not checked: files that were not written in this project, generated files, and records of
 * the past, such as CHANGELOG.
 */
const left =
  /(^|\/)(node_modules|results|generated)\/|CHANGELOG|LICENSE|^\.changeset\/|^openapi\/|check-words/
const files = (...patterns) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter(path => path && !left.test(path))

/**
 * Yields [place, text] for each text in all checked files. `place` says where the text is, such as a file and
 * a line.
 */
function* texts() {
  for (const path of files('*.md'))
    for (const [line, text] of paragraphsOf(path)) yield [`${path}:${line}`, text, path]
  for (const path of files('*.ts', '*.tsx', '*.mjs')) {
    const source = readFileSync(path, 'utf8')
    for (const [line, text] of commentsOf(source)) yield [`${path}:${line}`, text]
    if (/^packages\/\w+\/src\//.test(path) && !/\.test\.|\.sql\./.test(path))
      for (const [line, text] of messagesOf(source)) yield [`${path}:${line}`, text]
    if (/\.(test|contract)\.tsx?$/.test(path))
      for (const [line, text] of titlesOf(source)) yield [`${path}:${line}`, text]
  }
  for (const [place, text] of descriptionsOf(JSON.parse(readFileSync('openapi/openapi.json', 'utf8'))))
    yield [place, text]
}

function* paragraphsOf(path) {
  let isCode = false
  let begun = 0
  let paragraph = []
  const lines = [...readFileSync(path, 'utf8').split('\n'), '']
  for (const [index, line] of lines.entries()) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
    const isText = !isCode && !/^\s*(```|~~~|\||#|<|-{3}| {4})/.test(line) && line.trim() !== ''
    const isNew = /^\s*([-*]|\d+\.) /.test(line)
    if ((!isText || isNew) && paragraph.length > 0) {
      yield [begun, plain(paragraph.join(' '))]
      paragraph = []
    }
    if (!isText) continue
    if (paragraph.length === 0) begun = index + 1
    paragraph.push(line.trim())
  }
}

const plain = text =>
  text
    .replace(/`[^`]*`/g, 'code')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__/g, '')

function* commentsOf(source) {
  for (const match of source.matchAll(/^[ \t]*\/\*\*?([\s\S]*?)\*\/|((?:^[ \t]*\/\/.*\n?)+)/gm)) {
    const line = source.slice(0, match.index).split('\n').length
    yield [
      line,
      plain(
        (match[1] ?? match[2])
          .replace(/^[ \t]*(\/\/|\*) ?/gm, '')
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    ]
  }
}

function* titlesOf(source) {
  for (const match of source.matchAll(
    /\b(?:test|it|describe)(?:\.\w+)*(?:<[^\n]*>)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g,
  ))
    yield [source.slice(0, match.index).split('\n').length, match[2]]
}

/**
 * Yields each string of four words or more with its line number. These strings are the messages of errors,
 * logs, commands and pages.
 */
function* messagesOf(source) {
  for (const match of source.matchAll(/^(?!\s*(?:\/\/|\*|\/\*)).*?(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/gm))
    if (/(\S+ ){3}/.test(match[2]))
      yield [source.slice(0, match.index).split('\n').length, plain(withoutTags(match[2]))]
}

/**
 * Ends a sentence at each closing or empty tag, and at each tag with an attribute. Other tags look like placeholders such
 * as `<id>`, so they stay.
 */
const withoutTags = string => string.replace(/<(\/[^>]*|[^>]*\/|\w+ [^>]*=[^>]*)>/g, '. ')

function* descriptionsOf(value, place = 'openapi.json') {
  if (value === null || typeof value !== 'object') return
  for (const [key, inner] of Object.entries(value)) {
    if ((key === 'description' || key === 'summary') && typeof inner === 'string') yield [place, plain(inner)]
    else yield* descriptionsOf(inner, `${place} › ${key}`)
  }
}

const sentencesOf = text =>
  text
    // In source code, a line break in a string is written as `\n`.
    .split(/(?<=[.!?:;|])\s+|(?:\\n)+|(?:^|\s)[-*] /)
    .map(sentence => sentence.split(/\s+/).filter(Boolean).length)
    .filter(Boolean)

const found = []
const sentences = new Map()
for (const [place, text, page] of texts()) {
  for (const [word, instead] of words) {
    const match = word.exec(text)
    if (match) found.push(`${place}: "${match[0]}" in "${around(text, match.index)}": write ${instead}`)
  }
  const lengths = sentencesOf(text)
  for (const length of lengths)
    if (length > LONGEST_SENTENCE)
      found.push(`${place}: a sentence of ${length} words: "${text.slice(0, 60)}…"`)
  if (page) sentences.set(page, [...(sentences.get(page) ?? []), ...lengths])
}
for (const [page, lengths] of sentences) {
  const mean = lengths.reduce((sum, each) => sum + each, 0) / lengths.length
  if (mean > MEAN_SENTENCE)
    found.push(`${page}: ${mean.toFixed(1)} words per sentence, at most ${MEAN_SENTENCE}`)
}

function around(text, index) {
  return text.slice(Math.max(0, index - 30), index + 40).trim()
}

for (const line of found) process.stdout.write(`${line}\n`)
process.exitCode = found.length > 0 ? 1 : 0
