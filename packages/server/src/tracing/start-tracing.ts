// Starts the OpenTelemetry SDK. This module is loaded only if tracing is enabled.

import { context, ROOT_CONTEXT, type SpanContext } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { traceWith } from './span.ts'

/**
 * Starts tracing. `ratio` is the fraction of traces to record. The exporter reads its destination from the
 * OTEL_EXPORTER_OTLP_* environment variables.
 */
export function startTracing({ ratio, role }: { ratio: number; role: string }): { stop(): Promise<void> } {
  const contexts = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(contexts)
  const sampler = new TraceIdRatioBasedSampler(ratio)
  const ids = new RandomIdGenerator()
  let given: SpanContext | undefined
  const provider = new TracerProvider({
    sampler: new ParentBasedSampler({ root: sampler }),
    idGenerator: {
      generateTraceId: () => given?.traceId ?? ids.generateTraceId(),
      generateSpanId: () => given?.spanId ?? ids.generateSpanId(),
    },
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'gapura', 'gapura.role': role }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  traceWith({
    tracer: provider.getTracer('gapura'),
    rootAs(root, start) {
      given = root
      try {
        return start()
      } finally {
        given = undefined
      }
    },
    isSampled: traceId =>
      sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED,
  })
  return {
    async stop() {
      traceWith(undefined)
      await provider.shutdown()
      context.disable()
    },
  }
}
