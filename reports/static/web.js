"use strict";
// The page is reloaded when a report is finished: what was shown as it was made gives way to it.
document.addEventListener("htmx:sseClose", (event) => {
  if (event.detail.type === "message") window.location.reload();
});
