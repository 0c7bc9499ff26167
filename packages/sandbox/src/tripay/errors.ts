export type Answer = { status: number; body: { success: false; message: string } }

// Creates an error response. All errors of Tripay have this format and differ only in their message. The documentation
// contains only the message for a wrong key and no HTTP statuses; the other messages and all statuses are made up.
export function refusal(message: string, status = 400): Answer {
  return { status, body: { success: false, message } }
}

export const invalidApiKey = refusal('Invalid API Key', 200)
