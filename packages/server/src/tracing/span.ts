// OpenTelemetry spans for requests, SQL statements, provider calls, jobs and webhooks. Tracing is off by default; the
// functions in this file then do nothing.
// A payment's trace id is its payment id. Any process can therefore add to the trace at any time
// (docs/decisions/0027-the-trace-of-a-payment.md).

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

/**
 * The tracer of this process. With `rootAs`, the span that `start` creates becomes the root of the given trace and gets
 * the given span id. `isSampled` returns whether a trace is recorded.
 */
export type Tracing = {
  tracer: Tracer
  rootAs<T>(root: SpanContext, start: () => T): T
  isSampled(traceId: string): boolean
}

type Options = {
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  attributes?: Attributes | undefined
  /** Spans that are related to the new span but are not its parent. */
  links?: (SpanContext | undefined)[] | undefined
  /** The parent of the new span; by default the current span, if there is one. */
  parent?: SpanContext | 'none' | undefined
  /** The time by Date.now() at which the span started, if it started earlier. */
  startTime?: number
}
const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
}

let tracing: Tracing | undefined

/** Sets the tracer for all functions of this file. Undefined stops tracing. */
export function traceWith(started: Tracing | undefined): void {
  tracing = started
}

export const isTracing = (): boolean => tracing !== undefined

/** Returns the current span; undefined without tracing. */
export const currentSpan = (): SpanContext | undefined =>
  tracing && trace.getSpan(context.active())?.spanContext()

/** Starts a span, which the caller must end. Returns undefined without tracing. */
export const startSpan = (name: string, options: Options = {}): Span | undefined =>
  tracing?.tracer.startSpan(name, spanOptions(options), parentOf(options.parent))

/** Starts a child of the current span. Returns undefined if there is no current span. */
export const startPart = (name: string, options: Options = {}): Span | undefined =>
  tracing && trace.getSpan(context.active()) ? startSpan(name, options) : undefined

/** Runs `run` within a new span and ends the span with it. */
export function inSpan<T>(
  name: string,
  options: Options,
  run: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options)
  return span ? runIn(span, run) : run(undefined)
}

/** Runs `run` within the root span of the payment's trace. The root is linked to the current span. */
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

/**
 * Returns the root span of a payment's trace, even if another process created it. The spans of later events of the
 * payment have it as their parent.
 */
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
 * Runs a batch in a span. A batch of several callers has a separate trace, linked to the callers' traces. A batch of
 * one caller is part of that caller's trace.
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

/**
 * Returns the current span in the format of the W3C `traceparent` header, to pass it to other processes; null without
 * tracing.
 */
export function currentTraceparent(): string | null {
  const current = currentSpan()
  if (!current) return null
  return `00-${current.traceId}-${current.spanId}-${current.traceFlags.toString(16).padStart(2, '0')}`
}

/**
 * Returns the span in a `traceparent` header; undefined if the text is not valid. A caller's span is not trusted: our
 * spans are linked to it but do not continue its trace.
 */
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

/**
 * Marks the span as failed. It records only the error's name, because messages may repeat data that providers and
 * callers sent.
 */
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
