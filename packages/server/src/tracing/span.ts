// Spans of OpenTelemetry, at the edges where time goes: requests, statements, providers, jobs, webhooks. Until tracing is
// started, which is off by default, none of this does anything.
//
// The trace of a payment is its id: whatever happens to it, at any time and in any process, knows the trace without having
// been told (docs/decisions/0027-the-trace-of-a-payment.md).

import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'

/** rootAs: what it starts is the root of that trace, under that id. isSampled: whether a trace is recorded. */
export type Tracing = {
  tracer: Tracer
  rootAs<T>(root: SpanContext, start: () => T): T
  isSampled(traceId: string): boolean
}

type Options = {
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  attributes?: Attributes | undefined
  /** Which belong to it without being its parents. */
  links?: (SpanContext | undefined)[] | undefined
  /** Its parent; without one what goes on now, if something does. */
  parent?: SpanContext | 'none' | undefined
  /** By Date.now(), where it began before. */
  startTime?: number
}
const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
}

let tracing: Tracing | undefined

/** Undefined ends it. */
export function traceWith(started: Tracing | undefined): void {
  tracing = started
}

export const isTracing = (): boolean => tracing !== undefined

/** Of what goes on now; undefined without tracing. */
export const currentSpan = (): SpanContext | undefined =>
  tracing && trace.getSpan(context.active())?.spanContext()

/** Undefined without tracing. Whoever starts it ends it. */
export const startSpan = (name: string, options: Options = {}): Span | undefined =>
  tracing?.tracer.startSpan(name, spanOptions(options), parentOf(options.parent))

/** A part of what goes on now; undefined where nothing does. */
export const startPart = (name: string, options: Options = {}): Span | undefined =>
  tracing && trace.getSpan(context.active()) ? startSpan(name, options) : undefined

/** What `run` does belongs to the span, which ends with it. */
export function inSpan<T>(
  name: string,
  options: Options,
  run: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options)
  return span ? runIn(span, run) : run(undefined)
}

/** What `run` does belongs to the payment's trace, of which this is the root; linked to what goes on around it. */
export function asPayment<T>(paymentId: string, name: string, run: () => Promise<T>): Promise<T> {
  if (!tracing) return run()
  const { tracer, rootAs } = tracing
  const request = trace.getSpan(context.active())
  const root = rootAs(rootOf(paymentId), () =>
    tracer.startSpan(
      name,
      spanOptions({ attributes: { 'gapura.payment_id': paymentId }, links: [request?.spanContext()] }),
      ROOT_CONTEXT,
    ),
  )
  request?.addLink({ context: root.spanContext() })
  return runIn(root, run)
}

/** The root of a payment's trace, whichever process made it: the parent of what happens to the payment later. */
export const paymentSpan = (paymentId: string): SpanContext | undefined => tracing && rootOf(paymentId)

function rootOf(paymentId: string): SpanContext {
  const traceId = paymentId.replaceAll('-', '')
  return {
    traceId,
    spanId: traceId.slice(16),
    traceFlags: tracing?.isSampled(traceId) ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  }
}

/**
 * A batch that several callers share is a trace of its own, linked to theirs and they to it. That of a single caller is
 * a part of his.
 */
export function inBatchSpan<T>(
  name: string,
  callers: readonly (SpanContext | undefined)[],
  run: () => Promise<T>,
): Promise<T> {
  if (!tracing) return run()
  const [first, ...others] = callers
  if (others.length > 0) return inSpan(`batch ${name}`, { parent: 'none', links: [...new Set(callers)] }, run)
  return context.with(first ? trace.setSpanContext(ROOT_CONTEXT, first) : ROOT_CONTEXT, run)
}

/** For whoever goes on with it elsewhere, in the form of the W3C's `traceparent`; null where nothing is traced. */
export function currentTraceparent(): string | null {
  const current = currentSpan()
  if (!current) return null
  return `00-${current.traceId}-${current.spanId}-${current.traceFlags.toString(16).padStart(2, '0')}`
}

/** Undefined where it is none. From a caller it is a stranger's word, which is linked to and never continued. */
export function spanOfTraceparent(traceparent: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent) ?? []
  const sent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(sent) ? sent : undefined
}

async function runIn<T>(span: Span, run: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(context.active(), span), run, undefined, span)
  } catch (error) {
    failSpan(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** By its name alone: messages repeat what providers and callers sent. */
export function failSpan(span: Span, error: unknown): void {
  const message = error instanceof Error ? error.name : 'unknown'
  span.setStatus({ code: SpanStatusCode.ERROR, message })
}

function spanOptions({ kind = 'internal', attributes, links = [], startTime }: Options) {
  return {
    kind: kinds[kind],
    ...(attributes && { attributes }),
    links: links.flatMap((linked): Link[] => (linked ? [{ context: linked }] : [])),
    ...(startTime !== undefined && { startTime }),
  }
}

function parentOf(parent: Options['parent']): Context {
  if (parent === 'none') return ROOT_CONTEXT
  return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : context.active()
}
