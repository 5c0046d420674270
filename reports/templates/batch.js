// Sorts the table of players, and finds one. The page says the same without it.
(() => {
  "use strict";

  const table = document.getElementById("players-table");
  if (!table) return;
  document.body.classList.add("scripted");
  const body = table.tBodies[0];
  const headers = [...table.tHead.querySelectorAll("th")];

  const key = (cell) => {
    if (cell.dataset.key === undefined) return cell.textContent.trim().toLowerCase();
    return cell.dataset.key === "" ? -Infinity : Number(cell.dataset.key);
  };

  // Figures from the greatest down at first, words from A on.
  const sort = (column) => {
    const was = headers[column].getAttribute("aria-sort");
    const isFigure = headers[column].classList.contains("number");
    const falling = was === null ? isFigure : was !== "descending";
    const rows = [...body.rows].map((row) => [key(row.cells[column]), row]);
    rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (falling ? -1 : 1));
    body.append(...rows.map(([, row]) => row));
    headers.forEach((header) => header.removeAttribute("aria-sort"));
    headers[column].setAttribute("aria-sort", falling ? "descending" : "ascending");
  };

  headers.forEach((header, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = header.textContent;
    button.addEventListener("click", () => sort(column));
    header.replaceChildren(button);
  });

  document.getElementById("find").addEventListener("input", ({ target }) => {
    const wanted = target.value.trim().toLowerCase();
    for (const row of body.rows) {
      row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
    }
  });
})();
