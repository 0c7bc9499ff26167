import type { WorkerEvents } from 'graphile-worker'

/**
 * The ids of the jobs that a runner fetched and has not ended. Where the answer to a fetch is lost on its way, the
 * database has jobs down as the runner's of which it never heard.
 */
export function heldJobs(events: WorkerEvents): ReadonlySet<string> {
  const held = new Set<string>()
  events.on('localQueue:getJobs:complete', ({ jobs }) => {
    for (const { id } of jobs) held.add(id)
  })
  events.on('localQueue:returnJobs', ({ jobs }) => {
    for (const { id } of jobs) held.delete(id)
  })
  events.on('job:complete', ({ job }) => held.delete(job.id))
  return held
}
