/**
 * How long a process claims a notice or an email while sending it, as an SQL interval. The process marks the notice or
 * email as sent only afterward. If the process crashes before that, another process sends the notice or email again
 * when the claim expires. A crash may therefore repeat an email, but never loses one. The interval is long enough for a
 * slow mail server to accept the emails to all users.
 */
export const SENDING_CLAIM = `interval '10 minutes'`
