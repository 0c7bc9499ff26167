// Generates requests for an operation from its entry in the API document. A request is valid, contains one
// error, or is arbitrary.

import fc from 'fast-check'
import { anyText } from '../support/any-text.ts'
import { hostileText, hostileWord, unstorableText } from './hostile.ts'
import { nearlyValid, replacementOf } from './mutation.ts'
import { type Known, type Lookup, type Schema, validOf } from './schema.ts'

export type Parameter = { name: string; in: string; required?: boolean; schema: Schema }
export type FuzzedOperation = {
  operationId: string
  method: string
  path: string
  parameters: Parameter[]
  body: { type: string; schema: Schema } | undefined
}

/** Text in the path or query that is sent as is, without percent-encoding. */
export class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Body = { json: unknown } | { text: string }
/**
 * A generated request. Its values can be references to existing objects (world.ts), which are replaced with ids
 * when the request is sent.
 */
export type FuzzRequest = {
  operation: FuzzedOperation
  path: Record<string, unknown>
  query: [name: string, value: unknown][]
  headers: Record<string, unknown>
  body: Body | undefined
  /** Describes the error in the request. Undefined if the API document allows the request. */
  wrong: string | undefined
}

type Made = { known: Known; lookup: Lookup }

export function requestOf(operation: FuzzedOperation, made: Made): fc.Arbitrary<FuzzRequest> {
  const valid = validRequestOf(operation, made)
  return fc.oneof(
    { weight: 4, arbitrary: valid },
    { weight: 6, arbitrary: valid.chain(request => nearly(request, made)) },
    { weight: 2, arbitrary: valid.chain(wild) },
  )
}

function validRequestOf(operation: FuzzedOperation, made: Made): fc.Arbitrary<FuzzRequest> {
  const { parameters, body } = operation
  const valuesIn = (place: string, accept = {}) => {
    const here = parameters.filter(parameter => parameter.in === place)
    return fc
      .record(Object.fromEntries(here.map(({ name, schema }) => [name, validOf(schema, made, name)])), {
        requiredKeys: here.filter(({ required }) => required).map(({ name }) => name),
        noNullPrototype: true,
      })
      .map(values => ({ ...accept, ...values }) as Record<string, unknown>)
  }
  return fc
    .record({
      path: valuesIn('path'),
      query: valuesIn('query').map(values => Object.entries(values)),
      headers: valuesIn('header', body ? { 'content-type': body.type } : {}),
      body: body ? bodyOf(body, made) : fc.constant(undefined),
    })
    .map(request => ({ operation, ...request, wrong: undefined }))
}

function bodyOf({ type, schema }: { type: string; schema: Schema }, made: Made): fc.Arbitrary<Body> {
  return type === 'application/json'
    ? validOf(schema, made).map(json => ({ json }))
    : validOf(schema, made, type).map(text => ({ text: String(text) }))
}

/** Generates a request in which exactly one part violates the API document or is at a limit. */
function nearly(request: FuzzRequest, { lookup }: Made): fc.Arbitrary<FuzzRequest> {
  const { operation, body } = request
  const ofParameters = operation.parameters.map(parameter => wrongParameter(request, parameter))
  const schema = operation.body?.schema
  const ofBody =
    schema && body && 'json' in body
      ? [
          nearlyValid(body.json, schema, lookup).map(({ value, what }) => ({
            ...request,
            body: { json: value },
            wrong: what,
          })),
        ]
      : []
  // Most mutations change the body, because the body has the most fields that a client can get wrong.
  const choices = [
    ...ofParameters,
    ...ofBody,
    ...ofBody,
    ...ofBody,
    ...(ofBody.length ? [] : [wild(request)]),
  ]
  return fc.oneof(...choices)
}

function wrongParameter(
  request: FuzzRequest,
  { name, in: place, schema }: Parameter,
): fc.Arbitrary<FuzzRequest> {
  const text = fc.oneof(hostileWord, hostileText, unstorableText, replacementOf(schema).map(String))
  const wrong = `${place} ${name}`
  if (place === 'path')
    return fc
      .oneof(text, brokenPath)
      .map(to => ({ ...request, path: { ...request.path, [name]: to }, wrong }))
  if (place === 'header')
    return fc
      .option(text, { nil: undefined })
      .map(to => ({ ...request, headers: { ...request.headers, [name]: to }, wrong }))
  const others = request.query.filter(([each]) => each !== name)
  return fc.oneof(
    fc.oneof(text, brokenPath).map(to => ({ ...request, query: [...others, pair(name, to)], wrong })),
    text.map(to => ({
      ...request,
      query: [...request.query, pair(name, to), pair(name, to)],
      wrong: `${wrong} twice`,
    })),
  )
}
const pair = (name: string, value: unknown): [string, unknown] => [name, value]

const brokenPath = fc
  .constantFrom(
    '%',
    '%00',
    '%ff',
    '%c0%ae',
    '%2e%2e',
    '..',
    '.',
    '%2f',
    'a%2fb',
    '%252e',
    ';a=b',
    '%E0%A4%A',
    '',
  )
  .map(text => new Raw(text))

/** Generates requests that no ordinary client would send. */
function wild(request: FuzzRequest): fc.Arbitrary<FuzzRequest> {
  const withBody = request.body !== undefined
  const header = (headers: Record<string, unknown>) => ({
    ...request,
    headers: { ...request.headers, ...headers },
    wrong: `headers ${JSON.stringify(headers)}`,
  })
  const body = (text: string) => ({
    ...request,
    headers: { 'content-type': 'application/json', ...request.headers },
    body: { text },
    wrong: 'body is wild',
  })
  return fc.oneof(
    fc
      .constantFrom('text/csv', 'application/x-ndjson', 'text/html;q=0.1', '*/*', ',;,', 'image/png')
      .map(accept => header({ accept })),
    fc
      .constantFrom('a b', 'x'.repeat(129), 'sane-id.1', '../..', '<b>')
      .map(id => header({ 'x-request-id': id })),
    fc
      .constantFrom('gzip', 'br', 'identity')
      .map(coding => header({ 'accept-encoding': coding, range: 'bytes=0-1' })),
    fc.array(fc.tuple(fc.string({ maxLength: 8 }), hostileText), { maxLength: 5 }).map(more => ({
      ...request,
      query: [...request.query, ...more],
      wrong: 'query has more',
    })),
    ...(withBody
      ? [
          fc
            .constantFrom(
              'text/plain',
              'application/json; charset=utf-16',
              'application/jsonx',
              'multipart/form-data',
              '',
            )
            .map(type => header({ 'content-type': type })),
          fc.constantFrom('gzip', 'deflate').map(coding => header({ 'content-encoding': coding })),
        ]
      : []),
    ...(request.operation.method === 'GET' ? [] : [wildText.map(body)]),
  )
}

const wildText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{',
    '[]',
    'null',
    '1',
    '"text"',
    '{"a":1,}',
    '{"amount":1e400}',
    '{"amount":1,"amount":2}',
    '{"__proto__":{"role":"owner"}}',
    '\ufeff{}',
    "{'a':1}",
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    `{"a":"${'x'.repeat(300_000)}"}`,
  ),
  fc.json({ maxDepth: 3 }),
  anyText({ maxLength: 50 }),
)
