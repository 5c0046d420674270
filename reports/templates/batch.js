// Sorts the table of players, and finds one. The page says the same without it.
(() => {
  "use strict";

  const table = document.getElementById("players-table");
  if (!table) return;
  document.body.classList.add("scripted");
  // Figures from the greatest down at first, words from A on.
  sortable(table, (header) => header.classList.contains("number"));

  document.getElementById("find").addEventListener("input", ({ target }) => {
    const wanted = target.value.trim().toLowerCase();
    for (const row of table.tBodies[0].rows) {
      row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
    }
  });
})();
