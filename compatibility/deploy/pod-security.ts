// The rules of Kubernetes' `restricted` Pod Security Standard
// (https://kubernetes.io/docs/concepts/security/pod-security-standards/), and two additional rules: a read-only
// file system and no service account token.

import { containersOf, type Fields, type PodTemplate } from './manifests.ts'

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]
const allowedSysctls = /^(kernel\.shm_rmid_forced|net\.ipv4\.(ip_|tcp_|ping_group_range)\w*)$/
const isProfile = (profile: Fields | undefined) => ['RuntimeDefault', 'Localhost'].includes(profile?.type)

/** Returns one line for each rule the pod violates. */
export function breachesOf(pod: PodTemplate): string[] {
  const { spec, metadata } = pod
  const own = [
    [spec.hostNetwork || spec.hostPID || spec.hostIPC, 'shares a host namespace (network, PID or IPC)'],
    [spec.automountServiceAccountToken !== false, 'does not turn off its service account token'],
    [
      spec.volumes?.some((volume: Fields) =>
        Object.keys(volume).some(key => key !== 'name' && !allowedVolumes.includes(key)),
      ),
      'has a volume whose type the Pod Security Standard forbids',
    ],
    [
      spec.securityContext?.sysctls?.some(({ name }: Fields) => !allowedSysctls.test(name)),
      'sets an unsafe sysctl',
    ],
    [
      Object.keys(metadata?.annotations ?? {}).some(name => name.includes('apparmor')),
      'overrides the AppArmor profile',
    ],
  ] as const
  return [
    ...own.filter(([isBroken]) => isBroken).map(([, rule]) => `${pod.name} ${rule}`),
    ...containersOf(pod).flatMap(container => breachesOfContainer(container, spec.securityContext ?? {})),
  ]
}

/** Returns the security rules a container violates. If the container lacks a setting, its pod's setting applies. */
function breachesOfContainer(
  { name, ports, securityContext: own = {}, ...rest }: Fields,
  pod: Fields,
): string[] {
  const { capabilities = {} } = own
  const rules = [
    [own.privileged === true, 'is privileged'],
    [own.allowPrivilegeEscalation !== false, 'may gain privileges'],
    [(own.runAsNonRoot ?? pod.runAsNonRoot) !== true, 'may run as root'],
    [(own.runAsUser ?? pod.runAsUser ?? 0) === 0, 'may run as the user with ID 0 (root)'],
    [!isProfile(own.seccompProfile ?? pod.seccompProfile), 'has no seccomp profile'],
    [!capabilities.drop?.includes('ALL'), 'keeps capabilities'],
    [capabilities.add?.some((each: string) => each !== 'NET_BIND_SERVICE'), 'adds capabilities'],
    [(own.procMount ?? 'Default') !== 'Default', 'uses an unmasked /proc'],
    [own.seLinuxOptions?.user || own.seLinuxOptions?.role, 'chooses its SELinux user'],
    [ports?.some(({ hostPort }: Fields) => hostPort), 'uses a port of its Kubernetes node (hostPort)'],
    [own.readOnlyRootFilesystem !== true, 'has a writable root file system'],
    [
      !rest.resources?.limits?.memory || !rest.resources?.requests?.cpu,
      'lacks a CPU request or a memory limit',
    ],
  ] as const
  return rules.filter(([isBroken]) => isBroken).map(([, rule]) => `${name} ${rule}`)
}
