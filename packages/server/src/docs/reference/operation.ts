// Renders one operation in the API reference. The text and the fields are on the left. The samples and the example
// response are on the right.

import { escapeHtml } from '../../values/html.ts'
import { codeBlock, codeBlocks } from '../code-block.ts'
import { type Language, type Words, words } from '../language.ts'
import { render } from '../render.ts'
import { curlOf, usesApiKey } from './curl.ts'
import { EVENTS, type OpenApi, type Operation, type Parameter, type Response } from './document.ts'
import { type Example, examplesOf } from './example.ts'
import { type Field, type Fields, fieldsOf, limitsOf, typeOf } from './fields.ts'
import { sdkSampleOf } from './sdk-sample.ts'

/**
 * The context in which an operation's documentation is rendered: the API document, the language and the
 * service's address.
 */
export type ReferenceContext = {
  openapi: OpenApi
  language: Language
  /** The address of the service that the code samples call. */
  service: string
}

export function operationHtml(context: ReferenceContext, operation: Operation, group: string): string {
  const { operationId, summary, description = '', method, path } = operation
  const text = words[context.language]
  const isEvent = group === EVENTS
  const address = isEvent
    ? ''
    : `<p class="endpoint"><span>${method}</span> <code>${escapeHtml(path)}</code></p>\n`
  return `<section class="operation">
<h2 id="${operationId}"><a href="#${operationId}"><span lang="en">${escapeHtml(summary)}</span></a></h2>
${address}<div class="split">
<div>
<div lang="en">${prose(context, description)}</div>
${isEvent ? '' : credential(operation, text)}${parameters(context, operation)}${body(context, operation)}${response(context, operation)}${errors(context, operation)}</div>
<div class="samples">
${isEvent ? eventSamples(operation, text) : samples(context, operation, text)}${exampleResponse(operation, text)}</div>
</div>
</section>
`
}

/**
 * Renders a description that is written in Markdown. Descriptions must not contain headings, because headings would
 * break the outline of the page.
 */
const prose = ({ language }: ReferenceContext, markdown: string): string =>
  render(markdown, 'openapi/openapi.json', { language }).html

const heading = (operation: Operation, part: string, title: string): string => {
  const id = `${operation.operationId}-${part}`
  return `<h3 id="${id}"><a href="#${id}">${title}</a></h3>\n`
}

function credential(operation: Operation, text: Words): string {
  const names = [
    usesApiKey(operation) && text.apiKey,
    operation.security.some(each => 'AccessTokenAuth' in each) && text.accessToken,
  ].filter(each => each !== false)
  return `<p class="credential"><b>${text.credential}:</b> ${names.join(` ${text.or} `) || text.noCredential}</p>\n`
}

function parameters(context: ReferenceContext, operation: Operation): string {
  const text = words[context.language]
  return (['path', 'query', 'header'] as const)
    .map(place => {
      const found = operation.parameters.filter(each => each.in === place)
      if (found.length === 0) return ''
      const fields = found.map(each => parameterField(context, each))
      return (
        heading(operation, place, text.parameters[place]) +
        fieldList(context, { common: fields, variants: [] })
      )
    })
    .join('')
}

const parameterField = (
  { openapi }: ReferenceContext,
  { name, required, description, schema }: Parameter,
): Field => ({
  name,
  type: typeOf(openapi, schema),
  required: required === true,
  description: description ?? schema.description ?? '',
  limits: limitsOf(openapi, schema),
  children: { common: [], variants: [] },
})

function body(context: ReferenceContext, operation: Operation): string {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (!type || !content) return ''
  const fields = fieldsOf(context.openapi, content.schema)
  const list = isEmpty(fields) ? `<p><code>${type}</code></p>\n` : fieldList(context, fields)
  return heading(operation, 'body', words[context.language].body) + list
}

const isEmpty = ({ common, variants }: Fields): boolean => common.length === 0 && variants.length === 0

function response(context: ReferenceContext, operation: Operation): string {
  const content = operation.responses['200']?.content ?? {}
  const types = Object.keys(content)
  const [json] = Object.values(content)
  if (!json) return ''
  const fields = fieldsOf(context.openapi, json.schema)
  const data = fields.common.find(({ name }) => name === 'data')
  const names = types.map(type => `<code>${type}</code>`).join(` ${words[context.language].or} `)
  const list = data ? fieldList(context, { common: [data], variants: [] }) : ''
  return `${heading(operation, 'response', words[context.language].response)}<p>200 · ${names}</p>\n${list}`
}

function errors(context: ReferenceContext, operation: Operation): string {
  const text = words[context.language]
  const rows = Object.entries(operation.responses).filter(([status]) => !/^2/.test(status))
  if (rows.length === 0) return ''
  const row = ([status, { description }]: [string, Response]) =>
    `<tr><td>${status}</td><td lang="en">${prose(context, description)}</td></tr>`
  return `${heading(operation, 'errors', text.errors)}<div class="table"><table><thead><tr><th>${text.status}</th><th>${text.meaning}</th></tr></thead><tbody>${rows.map(row).join('')}</tbody></table></div>\n`
}

function fieldList(context: ReferenceContext, { common, variants }: Fields): string {
  const list = (fields: Field[]) =>
    fields.length > 0
      ? `<ul class="fields">${fields.map(each => fieldItem(context, each)).join('')}</ul>\n`
      : ''
  const text = words[context.language]
  const cases = variants
    .filter(({ fields }) => fields.length > 0)
    .map(
      ({ name, fields }) =>
        `<p class="variant">${text.when} ${prose(context, name).replace(/<\/?p>|\n/g, '')}</p>${list(fields)}`,
    )
  return list(common) + cases.join('')
}

function fieldItem(
  context: ReferenceContext,
  { name, type, required, description, limits, children }: Field,
): string {
  const text = words[context.language]
  const count = children.common.length + children.variants.reduce((sum, { fields }) => sum + fields.length, 0)
  const nested =
    count > 0
      ? `<details><summary>${text.fields(count)}</summary>${fieldList(context, children)}</details>`
      : ''
  const about = [description, ...limits]
    .filter(each => each !== '')
    .map(each => each.replace(/(?<![.!?:])$/, '.'))
  return `<li><p class="field"><code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(type)}</span> <span class="${required ? 'required' : 'optional'}">${required ? text.required : text.optional}</span></p>${about.length > 0 ? `<div lang="en">${prose(context, about.join(' '))}</div>` : ''}${nested}</li>`
}

function samples({ service }: ReferenceContext, operation: Operation, text: Words): string {
  const shown = (example: Example, at: number) =>
    codeBlocks(
      [
        { language: 'sh', tab: 'curl', text: curlOf(operation, example, service) },
        { language: 'ts', tab: 'TypeScript', text: sdkSampleOf(operation, example, service) },
      ],
      `samples:${operation.operationId}-${at}`,
    )
  const [first, ...others] = examplesOf(operation).map((example, at) => ({
    name: example.name,
    html: shown(example, at),
  }))
  const more = others.map(
    ({ name, html }) =>
      `<details class="more"><summary>${text.example}: <code>${escapeHtml(name)}</code></summary>${html}</details>\n`,
  )
  return (first?.html ?? '') + more.join('')
}

const eventSamples = (operation: Operation, text: Words): string => {
  const [example] = examplesOf(operation)
  return example ? json(example.body, text.body) : ''
}

function exampleResponse({ responses }: Operation, text: Words): string {
  const [content] = Object.values(responses['200']?.content ?? {})
  const [first] = Object.values(content?.examples ?? {})
  const value = first?.value ?? content?.example
  return value === undefined ? '' : json(value, text.response)
}

const json = (value: unknown, title: string): string =>
  codeBlock({ language: 'json', title, text: JSON.stringify(value, null, 2) })
