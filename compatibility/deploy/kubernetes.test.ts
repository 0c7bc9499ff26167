// Checks the rendered manifests in deploy/kubernetes against Kubernetes' schemas, the restricted Pod Security
// Standard, and the guides. No cluster is needed.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { typeErrorsOf } from './known-fields.ts'
import {
  containersOf,
  type Fields,
  type Kubectl,
  type Manifest,
  ofKind,
  openKubectl,
  picks,
  podTemplates,
} from './manifests.ts'
import { breachesOf } from './pod-security.ts'

const overlays = ['production', 'sandbox'] as const
const rendered = {} as Record<(typeof overlays)[number], Manifest[]>
const scaling = await readFile(join(import.meta.dirname, '../../docs/guides/scaling.md'), 'utf8')

let kubectl: Kubectl
beforeAll(async () => {
  kubectl = await openKubectl()
  for (const overlay of overlays) rendered[overlay] = await kubectl.render(overlay)
})
afterAll(() => kubectl.remove())

/** Throws an error that lists where the manifest violates Kubernetes' OpenAPI document. */
async function validate({ apiVersion, kind, ...manifest }: Manifest): Promise<void> {
  const models = await import(/* @vite-ignore */ `kubernetes-models/${apiVersion}/${kind}`)
  new models[kind](manifest).validate()
}

describe.each(overlays)('the Kubernetes overlay %s', overlay => {
  const manifests = () => rendered[overlay]
  const pods = () => podTemplates(manifests())

  test('every field and value in the Kubernetes manifests matches the Kubernetes schemas', async () => {
    expect(manifests().length).toBeGreaterThan(12)
    for (const manifest of manifests()) await validate(manifest)
    expect(typeErrorsOf(manifests())).toEqual([])
  })

  test('the pods in the Kubernetes manifests have no unneeded privileges', () => {
    expect(pods().length).toBeGreaterThan(2)
    expect(pods().flatMap(breachesOf)).toEqual([])
    const [namespace] = ofKind(manifests(), 'Namespace')
    expect(namespace?.metadata.labels['pod-security.kubernetes.io/enforce']).toBe('restricted')
  })

  test('the Kubernetes manifests use only images with an exact version', () => {
    for (const { image } of pods().flatMap(containersOf)) expect(image).toMatch(/\/[a-z-]+:\d+\.\d+\.\d+$/)
  })

  test('the Kubernetes manifests refer only to objects that they define and to the secrets that the operator creates', () => {
    const names = (kind: string) => ofKind(manifests(), kind).map(({ metadata }) => metadata.name)
    for (const { spec } of pods()) {
      for (const container of spec.containers) {
        const isMigrating = container.args?.[0] === 'migrate'
        const ports = (container.ports ?? []).map(({ name }: Fields) => name)
        for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
          if (container[probe]) expect(ports).toContain(container[probe].httpGet.port)
        for (const { configMapRef, secretRef } of container.envFrom ?? []) {
          if (configMapRef) expect(names('ConfigMap')).toContain(configMapRef.name)
          // The operator creates these Kubernetes secrets, and the manifests refer to them. Only the migration may
          // use the table owner's credentials.
          if (secretRef)
            expect(isMigrating ? ['gapura', 'gapura-owner'] : ['gapura']).toContain(secretRef.name)
        }
        const volumes = (spec.volumes ?? []).map(({ name }: Fields) => name)
        for (const { name } of container.volumeMounts ?? []) expect(volumes).toContain(name)
      }
      expect(names('ServiceAccount')).toContain(spec.serviceAccountName)
    }
    for (const { spec } of ofKind(manifests(), 'Service')) {
      const [pod, ...others] = pods().filter(({ metadata }) => picks(spec.selector, metadata.labels))
      expect(others).toEqual([])
      const ports = pod?.spec.containers[0].ports.map(({ name }: Fields) => name)
      for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort)
    }
    for (const { spec } of ofKind(manifests(), 'HorizontalPodAutoscaler'))
      expect(names(spec.scaleTargetRef.kind)).toContain(spec.scaleTargetRef.name)
    for (const { spec } of ofKind(manifests(), 'Ingress'))
      expect(names('Service')).toContain(spec.rules[0].http.paths[0].backend.service.name)
  })

  test('when Kubernetes nodes are drained, pods are evicted one at a time, so at least one keeps running', () => {
    for (const name of ['gapura-api', 'gapura-worker']) {
      const deployment = ofKind(manifests(), 'Deployment').find(({ metadata }) => metadata.name === name)
      const labels = deployment?.spec.template.metadata.labels
      const budgets = ofKind(manifests(), 'PodDisruptionBudget').filter(({ spec }) =>
        picks(spec.selector.matchLabels, labels),
      )
      expect(budgets.map(({ spec }) => spec.maxUnavailable)).toEqual([1])
      expect(replicas(manifests(), name).least).toBeGreaterThan(1)
    }
  })

  test('Kubernetes gives each process at least the shutdown time stated in the deployment guide', () => {
    const [config] = ofKind(manifests(), 'ConfigMap')
    const delay = Number(config?.data.GAPURA_SHUTDOWN_DELAY_SECONDS)
    expect(delay).toBeGreaterThan(0)
    const grace = (name: string) =>
      pods().find(pod => pod.name === name)?.spec.terminationGracePeriodSeconds as number
    expect(grace('gapura-api')).toBeGreaterThanOrEqual(delay + secondsFor('api'))
    expect(grace('gapura-worker')).toBeGreaterThanOrEqual(delay + secondsFor('worker'))
  })

  test('all Kubernetes pods together open at most 200 database connections', () => {
    const api = replicas(manifests(), 'gapura-api')
    const worker = replicas(manifests(), 'gapura-worker')
    const most =
      api.most * connectionsOf('api') + worker.most * connectionsOf('worker') + connectionsOf('migrate')
    // PostgreSQL reserves 3 of its 200 connections for the superuser.
    expect(most).toBeLessThanOrEqual(200 - 3)
  })
})

/** Returns the minimum number of replicas, and the maximum number during the rollout of a new version. */
function replicas(manifests: Manifest[], name: string): { least: number; most: number } {
  const named = (kind: string) => ofKind(manifests, kind).find(({ metadata }) => metadata.name === name)?.spec
  const deployment = named('Deployment') as Fields
  const scaler = named('HorizontalPodAutoscaler')
  // Only one object, the deployment or the autoscaler, may set the number of replicas. Otherwise the two would keep
  // overriding each other.
  expect(Boolean(scaler)).toBe(deployment.replicas === undefined)
  const surge = deployment.strategy.rollingUpdate.maxSurge
  return {
    least: scaler?.minReplicas ?? deployment.replicas,
    most: (scaler?.maxReplicas ?? deployment.replicas) + surge,
  }
}

const secondsFor = (role: string) =>
  Number(new RegExp(`^\\| [^|]*\`${role}\`[^|]*\\| (\\d+) s`, 'm').exec(scaling)?.[1])
const connectionsOf = (process: string) =>
  Number(new RegExp(`^\\| [^|]*\`${process}\`[^|]*\\| (\\d+) +\\|`, 'm').exec(scaling)?.[1])

describe('the checks report each mistake that a test inserts into a Kubernetes manifest', () => {
  const worker = (change: (spec: Fields, container: Fields) => void): Manifest => {
    const manifest = structuredClone(
      rendered.production.find(({ metadata }) => metadata.name === 'gapura-worker') as Manifest,
    )
    change(manifest.spec, manifest.spec.template.spec.containers[0])
    return manifest
  }

  test.each<[string, Parameters<typeof worker>[0], RegExp]>([
    [
      'an unknown field',
      (_, container) => {
        container.livenesProbe = {}
      },
      /livenesProbe/,
    ],
    [
      'text in place of a number',
      spec => {
        spec.replicas = '2'
      },
      /string.*number/,
    ],
    [
      'an unknown value',
      spec => {
        spec.template.spec.restartPolicy = 'Sometimes'
      },
      /Sometimes|restartPolicy/,
    ],
    [
      'a missing field',
      spec => {
        delete spec.selector
      },
      /selector/,
    ],
  ])(
    'the check against the TypeScript types of Kubernetes reports %s in a manifest',
    (_, change, message) => {
      expect(typeErrorsOf([worker(change)]).join('\n')).toMatch(message)
    },
  )

  test.each<[string, Parameters<typeof worker>[0]]>([
    [
      'text in place of a number',
      spec => {
        spec.replicas = '2'
      },
    ],
    [
      'a number that is too large',
      (_, container) => {
        container.livenessProbe.periodSeconds = 2 ** 40
      },
    ],
    [
      'a missing field',
      spec => {
        delete spec.selector
      },
    ],
  ])('validation against the Kubernetes schemas rejects a manifest with %s', async (_, change) => {
    await expect(validate(worker(change))).rejects.toThrow()
  })

  test.each<[string, Parameters<typeof worker>[0]]>([
    [
      'the root user',
      spec => {
        spec.template.spec.securityContext.runAsUser = 0
      },
    ],
    [
      'a container that may run as root',
      spec => {
        delete spec.template.spec.securityContext.runAsNonRoot
      },
    ],
    [
      'a missing seccomp profile',
      spec => {
        delete spec.template.spec.securityContext.seccompProfile
      },
    ],
    [
      'capabilities that are not dropped',
      (_, container) => {
        container.securityContext.capabilities.drop = ['NET_RAW']
      },
    ],
    [
      'privilege escalation',
      (_, container) => {
        delete container.securityContext.allowPrivilegeEscalation
      },
    ],
    [
      'a mounted path of the node',
      spec => {
        spec.template.spec.volumes.push({ name: 'node', hostPath: { path: '/' } })
      },
    ],
    [
      'the network of the node',
      spec => {
        spec.template.spec.hostNetwork = true
      },
    ],
    [
      'a writable file system',
      (_, container) => {
        container.securityContext.readOnlyRootFilesystem = false
      },
    ],
    [
      'a mounted service account token',
      spec => {
        delete spec.template.spec.automountServiceAccountToken
      },
    ],
  ])('the security rules for pods detect %s in a manifest', (_, change) => {
    expect(podTemplates([worker(change)]).flatMap(breachesOf)).not.toEqual([])
  })
})
